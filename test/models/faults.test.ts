import { expect, test, vi } from 'vitest'
import { MODEL_SILENCE_MAX_MS } from '../../src/models/index.ts'
import type { LogRecord } from 'throughline/log'
import { defineAgent, open } from 'throughline'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { openAnthropic } from './anthropic-server.fixture.ts'
import { fastClock } from './fast-clock.fixture.ts'
import { openOpenAI } from './openai-server.fixture.ts'
import type { OpenProvider } from './provider-contract.fixture.ts'
import type { Reply } from './provider-server.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const CONTACT = `<agent-event type="record_customer_contact" data='{"firstName":"Sarah"}' />`
const half = { parts: [{ say: `Noted.\n${CONTACT}\nAnd so ` }] }

interface Fault {
  readonly name: string
  readonly reply: Reply
  /** Model calls that a turn makes of it. */
  readonly calls: 1 | 2
  readonly end: 'failed' | 'declined'
}

const FAULTS: readonly Fault[] = [
  { name: '429', reply: 429, calls: 2, end: 'failed' },
  { name: '529', reply: 529, calls: 2, end: 'failed' },
  { name: '500', reply: 500, calls: 2, end: 'failed' },
  { name: '401', reply: 401, calls: 1, end: 'failed' },
  { name: 'hang', reply: { ...half, breaks: 'hang' }, calls: 2, end: 'failed' },
  { name: 'silence', reply: { ...half, breaks: 'silence' }, calls: 2, end: 'failed' },
  { name: 'drip', reply: { ...half, breaks: 'drip' }, calls: 2, end: 'failed' },
  { name: 'cut', reply: { ...half, breaks: 'cut' }, calls: 2, end: 'failed' },
  { name: 'early end', reply: { ...half, breaks: 'early end' }, calls: 2, end: 'failed' },
  { name: 'overloaded', reply: { ...half, breaks: 'overloaded' }, calls: 2, end: 'failed' },
  { name: 'empty', reply: { parts: [] }, calls: 2, end: 'failed' },
  {
    name: 'refusal',
    reply: { parts: [{ say: 'I cannot help with that.' }], ends: 'refusal' },
    calls: 1,
    end: 'declined',
  },
  {
    name: '10 MB',
    reply: { parts: [{ say: `${CONTACT}\n${'x'.repeat(10_000_000)}` }] },
    calls: 1,
    end: 'failed',
  },
]
const PROVIDERS: readonly (readonly [string, OpenProvider])[] = [
  ['Anthropic', openAnthropic],
  ['OpenAI', openOpenAI],
]
const CASES = PROVIDERS.flatMap(([format, provider]) =>
  FAULTS.map((fault) => ({ ...fault, format, provider })),
)

/** Long enough for sent bytes to arrive. */
const MEANWHILE_MS = 30

/** A reply that, where the provider then says nothing more, lets the time of the call run out. */
function running(reply: Reply, later: typeof setTimeout): () => Reply {
  const lasts =
    typeof reply === 'object' && 'breaks' in reply && /hang|drip|silence/.test(reply.breaks ?? '')
  return () => {
    if (lasts) later(() => vi.advanceTimersByTime(MODEL_SILENCE_MAX_MS), MEANWHILE_MS)
    return reply
  }
}

const seen = { runs: 0, ended: 0, answered: 0, doubled: 0 }

test.each(CASES)(
  '[M5] $format, $name: the turn ends, the next one works, nothing is doubled',
  async (fault) => {
    const faulty = running(fault.reply, globalThis.setTimeout)
    fastClock()
    let calls = 0
    const good = { parts: [{ say: `Welcome.\n${CONTACT}` }] }
    const { model } = await fault.provider(() => (++calls <= fault.calls ? faulty() : good))
    const broker = await testBroker({ model })
    const journey = await Journey.start(broker)
    const failed = await journey.say('installer', 'The customer is Sarah')
    expect([failed.end, calls]).toEqual([fault.end, fault.calls])
    const next = await journey.say('installer', 'Are you there?')
    expect([next.end, next.reply]).toEqual(['finished', 'Welcome.'])
    const records = await recordsOf(broker.log, journey.sessionId)
    const count = (...types: readonly string[]) =>
      records.filter(({ type }) => types.includes(type)).length
    expect([count('RUN_STARTED'), count('RUN_FINISHED', 'RUN_ERROR')]).toEqual([2, 2])
    expect([count('record_customer_contact'), heardIn(records)]).toEqual([1, 2])
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    expect(await broker.log.verify(journey.sessionId)).toMatchObject({ ok: true })
    seen.runs += count('RUN_STARTED')
    seen.ended += count('RUN_FINISHED', 'RUN_ERROR')
    seen.answered += next.end === 'finished' ? 1 : 0
    seen.doubled += count('record_customer_contact') - 1
  },
)

function heardIn(records: readonly LogRecord[]): number {
  return records.filter(
    ({ type, origin }) => type === 'TEXT_MESSAGE_START' && origin.source === 'ui',
  ).length
}

test.each(CASES)(
  '[M5] $format, $name in a sub-agent: its caller gets an error and continues',
  async (fault) => {
    const faulty = running(fault.reply, globalThis.setTimeout)
    fastClock()
    const ask = { parts: [{ call: 'call_low', input: { message: 'Please' } }] }
    const top: Reply[] = [ask, 'I did what I could.', 'Yes?']
    const { model, server } = await fault.provider(({ system }) =>
      system === 'low' ? faulty() : (top.shift() ?? 500),
    )
    const low = defineAgent({ name: 'low', model, instructions: 'low' })
    const lead = defineAgent({ name: 'top', model, instructions: 'top', agents: [low] })
    const app = await open({ store: 'memory:', agents: [lead] })
    const first = await app.turn('t', { agent: 'top', input: 'Go' }).result
    const second = await app.turn('t', { agent: 'top', input: 'And?' }).result
    const records = await recordsOf(app.log, 't')
    await app.close()
    expect([first.reason, first.text, second.text]).toEqual([
      'success',
      'I did what I could.',
      'Yes?',
    ])
    expect(server.asked).toHaveLength(3 + fault.calls)
    const began = records.filter(({ type }) => /^(RUN|SUBAGENT)_STARTED$/.test(type)).length
    const ended = records.filter(({ type }) =>
      /^(RUN|SUBAGENT)_(FINISHED|ERROR)$/.test(type),
    ).length
    expect([began, ended]).toEqual([3, 3])
    seen.runs += began
    seen.ended += ended
    seen.answered += second.reason === 'success' ? 1 : 0
  },
)

test('[M5] every faulty turn above has ended, and the one after it was answered', async ({
  annotate,
}) => {
  expect(seen.ended).toBe(seen.runs)
  const faults = 2 * CASES.length
  expect([seen.answered, seen.doubled]).toEqual([faults, 0])
  await annotate(
    `${faults} faulty turns (${FAULTS.length} faults, 2 formats, narrator and sub-agent): ${seen.ended} of ${seen.runs} runs ended, ${seen.answered} next turns answered, ${seen.doubled} events doubled`,
    'promise',
  )
})

test('[M5] a turn that stops reading closes the connection, so that the provider stops too', async () => {
  for (const [, provider] of PROVIDERS) {
    const endless = { parts: [{ say: 'x'.repeat(10_000_000) }], breaks: 'hang' as const }
    const { model, server } = await provider(() => endless)
    const app = await open({ store: 'memory:', agents: [defineAgent({ name: 'lead', model })] })
    const { error } = await app.turn('t', { agent: 'lead', input: 'Go' }).result
    await server.abandoned
    await app.close()
    expect(error?.code).toBe('too_large')
  }
})
