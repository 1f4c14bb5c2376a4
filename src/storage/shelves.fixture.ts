import { ShelvedCursors, ThreadIndex } from '../log/index.ts'
import { SqliteShelves } from './sqlite/sqlite-shelves.ts'
import type { SqliteShelvesOptions } from './sqlite/sqlite-shelves.ts'

/** What is kept beside the log at a path. */
export function besideLog(path: string, options?: SqliteShelvesOptions) {
  const shelves = new SqliteShelves(`${path}.side`, options)
  const cursors = new ShelvedCursors(shelves)
  return { shelves, cursors, threadIndex: new ThreadIndex(shelves) }
}
