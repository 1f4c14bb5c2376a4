import { expect, onTestFinished, test } from 'vitest'
import { agentEvent } from '../../activity/index.ts'
import { runFinished, runStarted, topOrigin } from '../../activity/turn-records.fixture.ts'
import { aguiFace, callerFace, joinStream, turnStream } from '../../faces/index.ts'

import type { Reading } from '../../faces/index.ts'
import { countFollowed, threadStreams } from '../event-streams.fixture.ts'
import { RESPONSE_HELD_BYTES_MAX, ResponseSink } from './event-stream-response.ts'
import { recordsOf } from '../../../test/memory-log.fixture.ts'

const TURN = '0190b6f0-0000-7000-8000-000000000001'
const agent = topOrigin({ agent: 'A' }, TURN)
const started = { ...runStarted(agent), id: TURN }
const begun = agentEvent('TEXT_MESSAGE_START', { messageId: 'm', role: 'assistant' }, agent)
const says = (delta: string) => agentEvent('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta }, agent)
const ends = [
  agentEvent('TEXT_MESSAGE_END', { messageId: 'm' }, agent),
  runFinished(agent, 'success'),
]

/** The streams of a thread's runs, as a customer sees them: a record "secret" shows nothing. */
function runStreams() {
  const served = threadStreams()
  const { log, streams, viewOf } = served
  onTestFinished(() => streams.close())
  const common = { log, protocol: '1.0', onLoss: () => {} } as const
  const written: number[] = []
  const open = async (reading: Reading, signal?: AbortSignal) => {
    const sink = new ResponseSink(new Request('http://host/', { ...(signal && { signal }) }))
    const write = sink.write.bind(sink)
    sink.write = (chunk) => {
      written.push(chunk.plain.length)
      return write(chunk)
    }
    await streams.open(sink, {
      thread: 't',
      view: viewOf('customer'),
      face: aguiFace(undefined),
      reading,
      after: -1,
      until: new AbortController().signal,
    })
    return sink.response
  }
  return {
    ...served,
    /** The bytes of each write. */
    written,
    turn: (signal?: AbortSignal) => open(turnStream({ ...common, turn: TURN }), signal),
    join: (runId: string) => open(joinStream({ ...common, runId })),
  }
}

/** Lets the readers take what has come. */
async function ticks(): Promise<void> {
  for (let tick = 0; tick < 6; tick++) await new Promise((resolve) => setImmediate(resolve))
}

test('readers who give a run different names share its frames, and each gets the end that it named', async () => {
  const { log, record, turn, join } = runStreams()
  await log.append('t', [started, begun])
  const texts = [turn(), join('mine'), join('yours')].map(async (response) =>
    (await response).text(),
  )
  await ticks()
  record.mockClear()
  for (let n = 0; n < 20; n++) {
    await log.append('t', [says(`${n}.`)])
    await ticks()
  }
  await log.append('t', ends)
  const [whole = '', mine = '', yours = ''] = await Promise.all(texts)
  expect(record.mock.calls.length).toBeLessThan(30)
  expect(whole).toContain(`"runId":"${TURN}","outcome"`)
  expect(mine).toContain('"runId":"mine","outcome"')
  expect(yours).toBe(mine.replaceAll('"runId":"mine"', '"runId":"yours"'))
  const live = whole.slice(whole.indexOf('id: 2\n'), whole.lastIndexOf('id: '))
  expect(mine).toContain(live)
})

/** The fourth delta fills a connection whose reader takes nothing. */
const DELTA = 'x'.repeat(RESPONSE_HELD_BYTES_MAX / 4)

test.each([
  [1, 20],
  [3, 20],
  [1, 4],
  [3, 4],
])(
  '[E4] of %i readers of a run, one whose connection was full at one of %i deltas reads on, byte for byte',
  async (readers, deltas) => {
    const { log, turn } = runStreams()
    await log.append('t', [started, begun])
    const slow = await turn()
    const others = Array.from({ length: readers - 1 }, async () => (await turn()).text())
    await ticks()
    for (let n = 0; n < deltas; n++) {
      await log.append('t', [says(`${n}${DELTA}`)])
      await ticks()
    }
    const text = slow.text()
    await ticks()
    await log.append('t', [says('and'), ...ends])
    const whole = await (await turn()).text()
    expect(await text).toBe(whole)
    expect(await Promise.all(others)).toEqual(others.map(() => whole))
  },
)

test('[E1] records of which a run shows nothing end no stream: an empty chunk would', async () => {
  const { log, turn, written } = runStreams()
  const secret = { type: 'secret', data: null }
  await log.append('t', [started])
  await log.append('t', [secret])
  const text = turn().then((response) => response.text())
  await ticks()
  for (let n = 0; n < 5; n++) {
    await log.append('t', [secret])
    await ticks()
  }
  await log.append('t', [begun, ...ends])
  expect(await text).toContain('RUN_FINISHED')
  expect(written).not.toContain(0)
})

test('[E3] a reader that leaves while its run is awaited, or at work, is forgotten', async () => {
  for (const records of [[], [started, begun]]) {
    const { log, streams, turn } = runStreams()
    if (records.length > 0) await log.append('t', records)
    const followed = countFollowed(log)
    const leaving = new AbortController()
    const response = await turn(leaving.signal)
    await expect.poll(followed).toBe(1)
    leaving.abort()
    await response.text()
    await expect.poll(() => [followed(), streams.size]).toEqual([0, 0])
  }
})

test('a reader that leaves while the log is read neither follows the run nor waits for one', async () => {
  for (const records of [[], [started, begun]]) {
    const { log, streams, turn } = runStreams()
    if (records.length > 0) await log.append('t', records)
    const leaving = new AbortController()
    const [read, find] = [log.read.bind(log), log.find.bind(log)]
    log.find = async (...asked) => {
      if (records.length === 0) leaving.abort()
      return find(...asked)
    }
    log.read = async function* (thread, range) {
      yield* read(thread, range)
      leaving.abort()
    }
    log.subscribe = () => {
      throw new Error('it follows the log')
    }
    await (await turn(leaving.signal)).text()
    await expect.poll(() => streams.size).toBe(0)
  }
})

const withState = { wholeNumber: (name: string) => (name === 'state' ? 1 : undefined) }
const callers = callerFace.reading(withState)

/** What callers of agents see, by writers that take their time. */
const slowCallers: Reading = {
  ...callers,
  writer: (subject) => {
    const writer = callers.writer(subject)
    return {
      frames: 'folded',
      framesOf: (records) => writer.framesOf(records),
      catchUp: async (log, upTo) => {
        await ticks()
        await writer.catchUp(log, upTo)
      },
    }
  },
}

test.each([
  ['wait to be sent', callers],
  ['are folded', slowCallers],
])(
  '[E1] a caller whose connection a state fills while records %s misses none of them',
  async (_what, reading) => {
    const { log, states, streams, viewOf } = runStreams()
    await log.append('t', [started, begun])
    const view = viewOf('customer')
    const sink = new ResponseSink(new Request('http://host/'))
    const until = new AbortController().signal
    await streams.open(sink, { thread: 't', view, face: callerFace, reading, after: -1, until })
    for (let n = 0; n < 9; n++) await ticks()
    states.mockImplementation(async () => {
      const [{ seq } = { seq: -1 }] = await log.append('t', [says('while the state is read')])
      return { seq, state: { lit: true, text: DELTA.repeat(5) } as never }
    })
    await log.append('t', [{ type: 'noted', data: null }])
    for (let n = 0; n < 9; n++) await ticks()
    const text = sink.response.text()
    await log.append('t', [says('and'), ...ends])
    for (let n = 0; n < 9; n++) await ticks()
    streams.close()
    const records = await recordsOf(log)
    const whole = callers.writer({ thread: 't', view }).framesOf(records)
    const shown = (await text).replace(/^retry.*\nevent: hello\n.*\n\n/, '')
    expect(shown.replaceAll(/event: state\n.*\n\n/g, '')).toBe(whole)
  },
)
