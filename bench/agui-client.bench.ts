import {
  HttpAgent,
  defaultApplyEvents,
  enforceEvents,
  transformChunks,
  verifyEvents,
} from '@ag-ui/client'
import type { BaseEvent, Message } from '@ag-ui/core'
import { from, lastValueFrom } from 'rxjs'
import { StreamVerifier, ThreadFold } from 'throughline/agui'
import type { Benchmark, Candidate } from './benchmark.ts'
import { costAtMost, faster, yieldsAll } from './goals.ts'

const OLD_MESSAGES = 1_000
/** Events of a run other than text deltas. */
const OVERHEAD = 4
const EVENT_MAX_NS = 10_000
const FRAME_EVENTS = 50
const STOCK = '@ag-ui/client'
const TEXT = 'A sentence of the usual length, as agents and people say them. '

/** What a client of AG-UI makes of a long run in a long thread. */
export const aguiClient: readonly Benchmark[] = [10_000, 100_000].map((count) => ({
  id: `T3 ${count.toLocaleString('en')}`,
  what: `${count.toLocaleString('en')} events into a thread of 1,000 messages`,
  unit: 'event',
  units: count,
  yields: 'characters',
  run: () => {
    const events = runOf(count)
    return () => {
      const verifier = new StreamVerifier()
      const fold = new ThreadFold({ messages: history() })
      for (const [at, event] of events.entries()) {
        for (const each of verifier.take(event)) fold.take(each)
        // What a page reads that draws a frame for so many events.
        if (at % FRAME_EVENTS === 0) void fold.view
      }
      verifier.end()
      return saidIn(fold.view.messages)
    }
  },
  // Its cost grows with the thread: 100,000 events take it minutes.
  peers: count > 10_000 ? [] : [stockClient(count)],
  goals: [
    costAtMost(EVENT_MAX_NS),
    yieldsAll(saidBy(count)),
    ...(count > 10_000 ? [] : [faster(STOCK, 10)]),
  ],
}))

function stockClient(count: number): Candidate {
  return {
    name: STOCK,
    prepare: () => {
      const events = runOf(count)
      return async () => {
        const agent = new HttpAgent({ url: 'http://localhost' })
        agent.messages = [...history()]
        const input = { threadId: 't', runId: 'r', state: {}, messages: [], tools: [], context: [] }
        const checked = from(events as unknown as BaseEvent[]).pipe(
          enforceEvents(),
          transformChunks(),
          verifyEvents(),
        )
        const { messages = [] } = await lastValueFrom(defaultApplyEvents(input, checked, agent, []))
        return saidIn(messages)
      }
    },
  }
}

function history(): readonly Message[] {
  return Array.from({ length: OLD_MESSAGES }, (_, at) => ({
    id: `old-${at}`,
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: TEXT.repeat(4),
  }))
}

/** One message of a run, in tokens. */
function runOf(count: number): readonly Readonly<Record<string, unknown>>[] {
  const messageId = 'new'
  return [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...Array.from({ length: count - OVERHEAD }, () => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId,
      delta: 'word ',
    })),
    { type: 'TEXT_MESSAGE_END', messageId },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ]
}

function saidBy(count: number): number {
  return (count - OVERHEAD) * 'word '.length
}

function saidIn(messages: readonly Message[]): number {
  const said = messages.at(-1)?.content
  return typeof said === 'string' ? said.length : 0
}
