const PREFIX = 'sqlite:'

/** Returns the path in `sqlite:PATH`; undefined for any other address, and for an SQLite name in memory. */
export function sqlitePath(url: string): string | undefined {
  const path = url.startsWith(PREFIX) ? url.slice(PREFIX.length) : ''
  return path === '' || path.startsWith(':') ? undefined : path
}
