/**
 * Serves a thread of agents from SQLite, and appends to it on orders over IPC.
 * Usage: `fork('many-streams-server.ts', [PATH])`; it first says where it listens.
 */
import { setTimeout } from 'node:timers/promises'
import { serveAgents } from '../../src/server/served-agents.fixture.ts'
import { openLog } from '../../src/storage/index.ts'

export interface Append {
  readonly count: number
  /** How long each event's text is. */
  readonly chars: number
  /** Waits so long between two of them. */
  readonly everyMs: number
}

const [, , path = ''] = process.argv
const log = await openLog(`sqlite:${path}`)
const { url } = await serveAgents({ log })
// After the start, because the server ends runs that are open when it starts.
await log.append('t', [{ type: 'RUN_STARTED', data: {} }])

async function append({ count, chars, everyMs }: Append): Promise<number> {
  const text = 'x'.repeat(chars)
  for (let n = 0; n < count; n++) {
    const at = String(process.hrtime.bigint()).padStart(16, '0')
    await log.append('t', [{ type: 'noted', data: { at, text } }])
    await setTimeout(everyMs)
  }
  return log.head('t')
}

/** Collects garbage, so that the resident memory is in use. */
async function collect(): Promise<void> {
  const { gc } = globalThis
  if (!gc) throw new Error('Cannot collect garbage: start with --expose-gc')
  await gc({ execution: 'async' })
}

// Nothing else is ever asked for.
process.on('message', (asked: Append | 'collect') => {
  const done = asked === 'collect' ? collect().then(() => 0) : append(asked)
  void done.then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
process.send?.(url)
