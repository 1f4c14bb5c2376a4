import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { EventLog, NewEvent } from 'throughline/log'
import { bareEnvironment } from '../server-process.fixture.ts'

const PROGRAM = fileURLToPath(new URL('./start-and-measure.ts', import.meta.url))
/** Of every start: it signs the heads. */
export const SECRET = 'the same in each start and long enough'

/** Records of a run that ends. */
export const RECORDS_OF_A_RUN = 5

const APPENDS_AT_ONCE = 1_000

export interface Started {
  /** Milliseconds of the processor for opening the log, and for starting to serve it. */
  readonly opened: number
  readonly served: number
}

/** Threads of agents in which a run has ended. */
export async function appendThreads(log: EventLog, count: number): Promise<readonly string[]> {
  const threads = Array.from({ length: count }, (_, n) => `thread-${n}`)
  for (let from = 0; from < count; from += APPENDS_AT_ONCE) {
    const some = threads.slice(from, from + APPENDS_AT_ONCE)
    await Promise.all(some.map((thread) => log.append(thread, runIn(thread, 'ended'))))
  }
  return threads
}

/** A run of an agent as a crash leaves it, or as it ends. */
export function runIn(thread: string, state: 'open' | 'ended'): readonly NewEvent[] {
  const run = randomUUID()
  const origin = { source: 'system', agent: 'clerk', path: ['clerk'], depth: 0, run } as const
  const data = { threadId: thread, runId: run }
  const message = { messageId: `message of ${run}` }
  return [
    { type: 'RUN_STARTED', data, origin },
    { type: 'TEXT_MESSAGE_START', data: { ...message, role: 'assistant' }, origin },
    { type: 'TEXT_MESSAGE_CONTENT', data: { ...message, delta: 'That is all.' }, origin },
    ...(state === 'open'
      ? []
      : [
          { type: 'TEXT_MESSAGE_END', data: message, origin },
          { type: 'RUN_FINISHED', data, origin },
        ]),
  ]
}

/** Starts the server over a folder, kills it after `then`, and says what the start took. */
export async function start(folder: string, then?: () => Promise<void>): Promise<Started> {
  const child = spawn(process.execPath, ['--conditions=throughline-source', PROGRAM], {
    env: { ...bareEnvironment(), PORT: '0', DATA_DIR: folder, SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  await then?.()
  child.kill('SIGKILL')
  await ended
  return JSON.parse(String(value)) as Started
}
