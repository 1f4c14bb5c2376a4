/** Reads so many KB of a program's output slowly, and prints the parts it got and the memory it took more. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openClaude } from '../../src/programs/index.ts'
import { scriptedClaude } from 'throughline/programs'

const cwd = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'flood-'))
const session = openClaude({ ...scriptedClaude(), cwd, version: '2.1.330' })
await session.ready
const before = inUse()
const play = [{ flood: Number(process.argv[3]) }, { text: 'End' }]
await session.prompt({ id: crypto.randomUUID(), text: JSON.stringify({ play }) })
let [most, parts, batches] = [0, 0, 0]
for await (const events of session.events()) {
  parts += events.filter(({ type }) => type === 'part').length
  if (batches++ % 20 === 0) {
    await delay(20)
    most = Math.max(most, inUse() - before)
  }
  if (events.some(({ type }) => type === 'idle')) break
}
await session.stop()
process.stdout.write(`${JSON.stringify({ parts, most })}\n`)

/** Bytes that are still needed: how much more V8 holds is its own choice. */
function inUse(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
