import type { ConsumerRow, Cursors, OpenRow } from '../log/index.ts'

/** How far a consumer has come, and the threads that it is to look at again. */
export interface SavedRows {
  /** The position in the feed; empty when none is saved. */
  readonly position: string
  /** With the time of the next look, in milliseconds since the epoch; 0 where a look is still to come. */
  readonly rows: readonly OpenRow[]
}

const NOTHING: SavedRows = { position: '', rows: [] }

/** Loads what a consumer has saved. What another version saved does not count. */
export async function savedRows(
  cursors: Cursors | undefined,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<SavedRows> {
  const prefix = `${version} `
  const saved = (await cursors?.load(name)) ?? ''
  if (!cursors || !saved.startsWith(prefix)) return NOTHING
  return { position: saved.slice(prefix.length), rows: await cursors.open(name) }
}

/** Saves the position and the rows together. */
export async function saveRows(
  cursors: Cursors | undefined,
  { name, version }: { readonly name: string; readonly version: string },
  { position, rows }: { readonly position: string; readonly rows: readonly ConsumerRow[] },
): Promise<void> {
  await cursors?.save(name, `${version} ${position}`, rows)
}
