import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LogError } from '../../log/index.ts'
import { reporting, storageError } from '../files/storage-error.ts'

/** The databases that this process is the writer of. */
const held = new Set<string>()

/**
 * Makes this process the only writer of a database until it ends, however it ends: an exclusive
 * transaction on a file beside it, which the operating system releases with the process. The file is
 * never removed, or a second process could lock a new one of the same name.
 *
 * @throws {@link LogError} `locked`, `io`
 */
export function holdWriteLock(path: string): { close(): void } {
  const full = resolve(path)
  const file = `${path}.lock`
  const lock = reporting(`open "${file}"`, () => new DatabaseSync(file, { timeout: 0 }))
  try {
    // Nothing is ever written, so that no journal needs to lie beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const failure = storageError(`lock "${file}"`, error)
    if (failure.code !== 'busy') throw failure
    const why = held.has(full) ? HERE : 'another process is writing to it'
    throw new LogError('locked', `Cannot open "${path}": ${why}`, { cause: error })
  }
  held.add(full)
  return {
    close() {
      held.delete(full)
      lock.close()
    },
  }
}

const HERE =
  'this process has it open already; close that first, or keep it over reloads in globalThis'
