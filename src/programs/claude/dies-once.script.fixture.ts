import { existsSync, writeFileSync } from 'node:fs'
import type { Script } from '../index.ts'

/** Ends the process in its first turn, and answers in the next life. */
export const script: Script = () => {
  if (existsSync('has-died')) return [{ text: 'Alive' }]
  writeFileSync('has-died', '')
  return [{ text: 'I begin' }, { exit: 9 }]
}
