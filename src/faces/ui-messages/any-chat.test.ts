import { readUIMessageStream, uiMessageChunkSchema } from 'ai'
import type { UIMessage, UIMessageChunk } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { turnOf } from '../../activity/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { textOf } from '../agui/streams.fixture.ts'
import { anyThread, randomThread, viewOf } from '../agui/threads.fixture.ts'
import type { Reader } from '../agui/threads.fixture.ts'
import { uiHistory } from './ui-history.ts'
import { uiStream } from './ui-stream.ts'

const RUNS = timesInTier({ quick: 12, full: 500 })
const TIMEOUT = 2_000 * RUNS
const reader = fc.constantFrom<Reader>('operator', 'guest')

test(
  'the stream of any reply of any tree is read by the AI SDK to the message of the history, per role',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyThread, reader, async ({ shape, ...how }, role) => {
        const { log, records } = await randomThread(shape, how)
        const { messages } = await uiHistory({ thread: 't', view: viewOf(log, role) }, { log })
        const replies = new Map<string, UIMessage>()
        for (const turn of turnsOf(records)) {
          const read = await readReply(log, { turn, role })
          replies.set(read.id, read)
        }
        const shown = messages.filter((message) => message.role === 'assistant')
        for (const { id, parts } of shown) {
          expect(comparable(replies.get(id)?.parts ?? [])).toEqual(comparable(parts))
        }
        expect(shown.length).toBeLessThanOrEqual(replies.size)
      }),
      { numRuns: RUNS },
    )
  },
  TIMEOUT,
)

function turnsOf(records: readonly LogRecord[]): readonly string[] {
  const started = records.filter(({ type }) => type === 'RUN_STARTED')
  return [...new Set(started.map(turnOf))]
}

async function readReply(
  log: EventLog,
  { turn, role }: { readonly turn: string; readonly role: Reader },
): Promise<UIMessage> {
  const text = await textOf(log, uiStream({ log, turn, from: 'reply' }), { role })
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const chunks = text
    .split('\n\n')
    .slice(0, -2)
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as UIMessageChunk)
  for (const chunk of chunks) {
    const { success } = (await uiMessageChunkSchema().validate?.(chunk)) ?? {}
    expect(success, JSON.stringify(chunk)).toBe(true)
  }
  // The end of a turn that failed is an error of the hook, not of the stream.
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) if (chunk.type !== 'error') controller.enqueue(chunk)
      controller.close()
    },
  })
  const failures: unknown[] = []
  let message: UIMessage | undefined
  const onError = (error: unknown) => void failures.push(error)
  for await (const each of readUIMessageStream({ stream, onError })) message = each
  expect(failures).toEqual([])
  if (!message) throw new Error('the stream held no message')
  return message
}

/** What both say of a part: a stream tells more of it, and the history has the newest state once. */
function comparable(parts: readonly object[]): readonly object[] {
  const said = parts.map((part) => {
    const known = Object.entries(part).filter(([, value]) => value !== undefined && value !== false)
    return Object.fromEntries(known)
  })
  return said.filter(({ type }) => type !== 'data-throughline-state').map(withoutId)
}

/** The AI SDK keeps the id of a thought. */
function withoutId(part: Readonly<Record<string, unknown>>): object {
  if (part['type'] !== 'reasoning') return part
  return { ...part, id: undefined }
}
