import { LogError } from '../../log/index.ts'

/** Reads columns of a row; their types are the database's promise, which a damaged file may break. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new LogError('corrupt', `Cannot read the database: a text is stored as ${typeof value}`)
}

export function wholeOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new LogError('corrupt', `Cannot read the database: a number is stored as ${typeof value}`)
}

/** The key of a note among what a store says about itself. */
export function noteKey(name: string): string {
  return `note:${name}`
}
