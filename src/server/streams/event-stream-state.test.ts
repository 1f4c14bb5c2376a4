import { expect, onTestFinished, test, vi } from 'vitest'
import { switchOn } from '../../domain/lamp.fixture.ts'
import { ANSWERS, threadStreams } from '../event-streams.fixture.ts'
import type { StreamsOptions } from '../event-streams.fixture.ts'

const DARK = { lit: false, watts: 0, broken: false, reported: false, replaced: false }
const end = {
  type: 'RUN_FINISHED',
  data: {},
  origin: { source: 'model', run: 'r', depth: 0 },
} as const

async function served(options?: StreamsOptions) {
  const streams = threadStreams(options)
  onTestFinished(() => streams.streams.close())
  const [, answer] = ANSWERS
  if (!answer) throw new Error('nothing answers')
  const ask = await answer.serve(streams)
  return {
    ...streams,
    switchOn: (watts: number, id = crypto.randomUUID()) =>
      streams.gate.commit('t', [switchOn(watts, { id })]),
    open: async (query: string) => framesOf(await ask(query)),
  }
}

/** Named frames as their names and data, others as their ids. */
function framesOf(response: Response): () => unknown[] {
  let text = ''
  const take = async (): Promise<void> => {
    for await (const bytes of response.body ?? []) text += new TextDecoder().decode(bytes)
  }
  take().catch(() => undefined)
  return () =>
    text.split('\n\n').flatMap((frame): unknown[] => {
      const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/m.exec(frame) ?? []
      if (event !== undefined && event !== 'hello') return [[event, JSON.parse(data)]]
      return Array.from(frame.matchAll(/^id: (\d+)/gm), ([, seq]) => seq)
    })
}

const shown = (seq: number, state: object) => ['state', { seq, state: { ...DARK, ...state } }]

test('a stream with its state begins with it whole and goes on with deltas', async () => {
  const { open, switchOn: turnOn } = await served()
  await turnOn(30)
  const frames = await open('after=0&state=1')
  await expect.poll(frames).toEqual([shown(0, { lit: true, watts: 30 })])
  await turnOn(31)
  const delta = [{ op: 'replace', path: '/watts', value: 31 }]
  await expect.poll(() => frames().slice(1)).toEqual(['1', ['state', { seq: 1, base: 0, delta }]])
})

test('a delta that is longer than the state is sent as the state', async () => {
  const { open, switchOn: turnOn } = await served()
  await turnOn(30)
  const frames = await open('after=0&state=1')
  await expect.poll(() => frames().length).toBe(1)
  await turnOn(80)
  const broken = { lit: true, watts: 80, broken: true, reported: true }
  await expect.poll(() => frames().slice(1)).toEqual(['1', '2', shown(2, broken)])
})

test('records that leave the state as it is send no state', async () => {
  const { open, log, states, switchOn: turnOn } = await served()
  await turnOn(30)
  const frames = await open('after=0&state=1')
  await expect.poll(() => frames().length).toBe(1)
  const readBefore = states.mock.calls.length
  await log.append('t', [end, end])
  await turnOn(30)
  await turnOn(32)
  await expect.poll(() => frames().length).toBe(6)
  expect(frames().slice(1)).toMatchObject(['1', '2', '3', '4', ['state', { seq: 4, base: 0 }]])
  expect(states.mock.calls.length).toBeLessThanOrEqual(readBefore + 2)
})

test('the state of a showing is read once for all its readers', async () => {
  const { open, states, switchOn: turnOn } = await served()
  await turnOn(30)
  const all = await Promise.all(Array.from({ length: 50 }, () => open('after=0&state=1')))
  await expect.poll(() => all.map((frames) => frames().length)).toEqual(all.map(() => 1))
  await turnOn(31)
  await expect.poll(() => all.map((frames) => frames().length)).toEqual(all.map(() => 3))
  expect(states.mock.calls.length).toBeLessThanOrEqual(4)
})

test('without ?state=1 no state is read or sent, beside streams that have it', async () => {
  const { open, switchOn: turnOn } = await served()
  const [plain, withState] = [await open(''), await open('state=1')]
  await turnOn(30)
  await expect.poll(plain).toEqual(['0'])
  await expect.poll(() => withState().length).toBe(3)
  expect(plain()).toEqual(['0'])
})

test('[E2] after a reset the state follows whole', async () => {
  const { open, switchOn: turnOn } = await served()
  await turnOn(30)
  const frames = await open('after=9&state=1')
  const lit = { lit: true, watts: 30 }
  const reset = ['reset', { reason: 'future', head: 0, state: { ...DARK, ...lit } }]
  await expect.poll(frames).toMatchObject([reset, shown(0, lit)])
})

test('[E1] a reader that fell behind gets the state whole, and no delta that it has no base for', async () => {
  const streams = threadStreams({ stallMaxMs: 60_000 })
  onTestFinished(() => streams.streams.close())
  const [, answer] = ANSWERS
  const ask = await answer?.serve(streams)
  const response = await ask?.('state=1')
  // While this one reads, the state is read too.
  const healthy = framesOf((await ask?.('state=1')) ?? Response.error())
  // Each step fills the reader, so that later states find it full.
  for (let watts = 20; watts < 30; watts++) {
    await streams.gate.commit('t', [switchOn(watts, { id: crypto.randomUUID() })])
    await streams.log.append('t', [{ type: 'big', data: 'x'.repeat(100_000) }])
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const frames = framesOf(response ?? Response.error())
  const state = { ...DARK, lit: true, watts: 29 }
  await expect.poll(() => frames().at(-1)).toEqual(['state', { seq: expect.any(Number), state }])
  await expect.poll(() => healthy().length).toBeGreaterThan(25)
  let have = -2
  for (const frame of frames()) {
    const data = Array.isArray(frame) ? (frame[1] as { seq: number; base?: number }) : { seq: have }
    expect(data.base ?? have).toBe(have)
    have = data.seq
  }
})

test('an application adds its frame after each record that ends a turn, and once caught up', async () => {
  let turns = 0
  const afterTurn = vi.fn(async () => ({ event: 'seed', data: { seed: `s${turns}` } }))
  const { open, log, switchOn: turnOn } = await served({ afterTurn })
  await turnOn(30)
  const frames = await open('after=-1&state=1')
  const opening = ['0', shown(0, { lit: true, watts: 30 }), ['seed', { seed: 's0' }]]
  await expect.poll(() => frames().toSorted()).toEqual(opening.toSorted())
  turns++
  await log.append('t', [end])
  await expect.poll(() => frames().slice(3)).toEqual(['1', ['seed', { seed: 's1' }]])
  await turnOn(31)
  await expect.poll(() => frames().length).toBe(7)
  expect(afterTurn).toHaveBeenCalledTimes(2)
})

test('[E3] readers that have left are read no state for', async () => {
  const { streams, states, log, open, switchOn: turnOn } = await served()
  const frames = await open('state=1')
  await expect.poll(() => frames().length).toBe(1)
  streams.close()
  const calls = states.mock.calls.length
  await turnOn(30)
  await log.append('t', [end])
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(states).toHaveBeenCalledTimes(calls)
})
