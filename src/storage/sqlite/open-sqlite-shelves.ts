import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ShelvedCursors } from '../../log/index.ts'
import type { Shelves } from '../../log/index.ts'
import type { EngineShelves, ShelvesOptions } from '../sql/opened-engine.ts'
import { textOf, wholeOf } from '../sql/rows.ts'
import { storageError } from '../files/storage-error.ts'
import { SqliteShelves, removeDatabase } from './sqlite-shelves.ts'

export async function openSqliteShelves(
  path: string,
  options: ShelvesOptions,
): Promise<EngineShelves> {
  const shelves = new SqliteShelves(`${path}.side`, options)
  await carryOver(path, shelves, options)
  return {
    shelves,
    unlogged: new SqliteShelves(`${path}.snapshots`, { ...options, synchronous: 'OFF' }),
  }
}

/**
 * Moves the cursors that releases up to 0.2 kept in a file of their own, and removes that file and the one of their
 * index. A cursor that was moved before stays as it is by now. While the shelves take none, the file stays for the
 * next start.
 */
async function carryOver(
  path: string,
  shelves: Shelves,
  { onFault }: ShelvesOptions,
): Promise<void> {
  const areMoved = await moveCursors(path, shelves).catch((error: unknown) => {
    const failure = storageError(`carry over "${path}.cursors"`, error)
    onFault?.(failure)
    return failure.code === 'corrupt'
  })
  try {
    for (const end of areMoved ? ['.cursors', '.threads'] : ['.threads']) {
      removeDatabase(`${path}${end}`)
    }
  } catch (error) {
    onFault?.(storageError(`remove old files beside "${path}"`, error))
  }
}

/** Returns whether the shelves hold all of them. */
async function moveCursors(path: string, shelves: Shelves): Promise<boolean> {
  const cursors = new ShelvedCursors(shelves)
  let areMoved = true
  for (const { consumer, position, rows } of oldCursors(`${path}.cursors`)) {
    if ((await cursors.load(consumer)) !== undefined) continue
    await cursors.save(consumer, position, rows)
    if ((await cursors.load(consumer)) === undefined) areMoved = false
  }
  return areMoved
}

function oldCursors(path: string) {
  if (!existsSync(path)) return []
  const database = new DatabaseSync(path)
  try {
    const rows = database.prepare('SELECT thread, due_at FROM rows WHERE consumer = ?')
    const cursors = database.prepare('SELECT consumer, position FROM cursors').all()
    return cursors.map((cursor) => {
      const consumer = textOf(cursor['consumer'])
      const open = rows
        .all(consumer)
        .map((row) => ({ thread: textOf(row['thread']), dueAt: wholeOf(row['due_at']) }))
      return { consumer, position: textOf(cursor['position']), rows: open }
    })
  } finally {
    database.close()
  }
}
