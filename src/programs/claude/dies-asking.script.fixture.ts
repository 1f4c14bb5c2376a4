import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers'
import type { Script } from '../scripted-cli/script.ts'

const call = (command: string) => ({
  tool: { name: 'Bash', input: { command }, result: `did ${command}`, asks: true },
})

/** Ends its process while it waits for permission; the next one asks for the same call again, and for another. */
export const script: Script = () => {
  if (existsSync('asked')) return [call('one'), call('two'), { text: 'End' }]
  writeFileSync('asked', '')
  process.on('exit', () => writeFileSync('gone', ''))
  setTimeout(() => process.exit(1), 300)
  return [call('one')]
}
