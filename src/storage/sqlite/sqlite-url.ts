const PREFIX = 'sqlite:'

/**
 * Returns the path in `sqlite:PATH`; undefined for any other address, for an SQLite name in memory, and for
 * `sqlite://`, which would be a path at the root of the disk.
 */
export function sqlitePath(url: string): string | undefined {
  const path = url.startsWith(PREFIX) ? url.slice(PREFIX.length) : ''
  return path === '' || path.startsWith(':') || path.startsWith('//') ? undefined : path
}
