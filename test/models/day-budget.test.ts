import { DAY_MS } from '../../src/activity/index.ts'
import { defineAgent, defineDomain, open, scriptedModel } from 'throughline'
import { Gate } from '../../src/gate/index.ts'
import type { EventLog } from 'throughline/log'
import { Narration } from './narration.fixture.ts'
import { expect, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { narratorOn } from './turn-room.fixture.ts'
import { id, memoryLog, recordsOf, sha256 } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const SENDS = 50
const ROUNDS = 4
const TOKENS = 100_000
const REPLY_TOKENS = 400
const NOON = Date.UTC(2026, 4, 5, 12)
const MIDNIGHT = Date.UTC(2026, 4, 6)

/** Four characters a token, as the scripted model reckons. */
function countedModel() {
  let calls = 0
  const model = scriptedModel(() => {
    calls++
    return 'x'.repeat(4 * REPLY_TOKENS)
  })
  return { model, calls: () => calls }
}

async function usedIn(log: EventLog, thread: string): Promise<number> {
  let used = 0
  for (const { data } of await recordsOf(log, thread)) {
    const { value } = data as {
      value?: { usage?: { inputTokens?: number; outputTokens?: number } }
    }
    used += (value?.usage?.inputTokens ?? 0) + (value?.usage?.outputTokens ?? 0)
  }
  return used
}

async function endsOf(sends: readonly Promise<string>[]): Promise<Set<string>> {
  const results = await Promise.allSettled(sends)
  return new Set(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value : String(result.reason.code),
    ),
  )
}

function narratorRoom(model: ReturnType<typeof scriptedModel>) {
  let time = NOON
  const now = () => time
  const domain = defineDomain<object>().domain({ name: 'talk', initial: {}, events: {} })
  const log = memoryLog({ now })
  const parts = { log, id, sha256, retryDelayMs: 0 }
  const restart = () =>
    new Narration<object>({
      ...parts,
      gate: new Gate<object>({ log, domain, now, id, sha256 }),
      threadLimits: { tokensPerDay: TOKENS },
    })
  const narrator = narratorOn<object>('customer', model)
  let turns = restart()
  return {
    log,
    send: async (input: string) =>
      (await turns.run('t', narrator, { input })).error ?? { code: 'finished' },
    restart: () => void (turns = restart()),
    at: (moment: number) => void (time = moment),
  }
}

test('[M9] narrators: fifty sends at once, over restarts: no model call passes the budget of the day', async ({
  annotate,
}) => {
  const { model, calls } = countedModel()
  const room = narratorRoom(model)
  for (let round = 0; round < ROUNDS; round++) {
    const sends = Array.from({ length: SENDS }, async (_, n) => {
      const { code } = await room.send(`${round}.${n}`)
      return code
    })
    expect([...(await endsOf(sends))]).toContain('busy')
    room.restart()
  }
  const used = await usedIn(room.log, 't')
  expect(calls()).toBeGreaterThan(10)
  expect(used).toBeLessThanOrEqual(TOKENS)
  const before = calls()
  expect(await room.send('one more')).toMatchObject({ code: 'limit_day', until: MIDNIGHT })
  expect(calls()).toBe(before)
  await annotate(
    `narrators: ${SENDS * ROUNDS} sends, ${ROUNDS} restarts: ${calls()} model calls used ${used} of ${TOKENS} tokens, 0 calls above it`,
    'promise',
  )
})

test('[M9] the budget begins anew with the day of UTC, and not with a clock that goes back', async () => {
  const { model } = countedModel()
  const room = narratorRoom(model)
  const untilLimit = async () => {
    for (let n = 0; n < 40; n++) if ((await room.send(`${n}`)).code === 'limit_day') return n
    return undefined
  }
  const first = await untilLimit()
  expect(first).toBeGreaterThan(5)
  room.at(NOON - DAY_MS)
  expect(await room.send('yesterday')).toMatchObject({ code: 'limit_day', until: MIDNIGHT })
  room.at(MIDNIGHT - 1)
  expect(await room.send('in the last millisecond')).toMatchObject({ code: 'limit_day' })
  room.at(MIDNIGHT)
  room.restart()
  expect(await untilLimit()).toBeGreaterThan(2)
})

test('[M9] agents: fifty sends at once, over restarts: no model call passes the budget of the day', async ({
  annotate,
}) => {
  const { model, calls } = countedModel()
  const agent = defineAgent({ name: 'A', model, limits: { outputTokens: REPLY_TOKENS } })
  const store = `sqlite:${freshPath()}`
  const limits = { tokensPerDay: TOKENS }
  let used = 0
  for (let round = 0; round < ROUNDS; round++) {
    const app = await open({ store, agents: [agent], limits })
    const sends = Array.from({ length: SENDS }, async (_, n) => {
      const { reason } = await app.turn('t', { agent: 'A', input: `${round}.${n}` }).result
      return reason
    })
    expect([...(await endsOf(sends))]).toContain('busy')
    used = await usedIn(app.log, 't')
    if (round === ROUNDS - 1) {
      const { reason, error } = await app.turn('t', { agent: 'A', input: 'one more' }).result
      expect([reason, error?.code]).toEqual(['limit', 'limit_day'])
      expect(error?.message).toMatch(/the next day begins at \d{4}-\d\d-\d\dT00:00:00\.000Z$/)
    }
    await app.close()
  }
  expect(calls()).toBeGreaterThan(10)
  expect(used).toBeLessThanOrEqual(TOKENS)
  await annotate(
    `agents: ${SENDS * ROUNDS} sends, ${ROUNDS} restarts: ${calls()} model calls used ${used} of ${TOKENS} tokens, 0 calls above it`,
    'promise',
  )
})

test('[M9] a call without reported usage counts as its reservation', async () => {
  const failing = scriptedModel(() => ({ fail: new Error('overloaded') }))
  const room = narratorRoom(failing)
  const codes = new Set<string>()
  for (let n = 0; n < 20; n++) codes.add((await room.send(`${n}`)).code)
  expect([...codes]).toEqual(['provider', 'limit_day'])
})

test('[M9] over HTTP a limit is a 429 that says when it ends, and the clicks of the turn stand', async () => {
  const broker = await testBroker({ threadLimits: { tokensPerDay: 10 } })
  const journey = await Journey.start(broker)
  const response = await fetch(`${broker.url}/api/chat/installer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${journey.tokens.installer}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      sessionId: journey.sessionId,
      directEvents: [{ type: 'record_project_facts', data: { projectValue: 17_500 } }],
    }),
  })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  expect([response.status, body['code']]).toEqual([429, 'limit'])
  const until = Date.parse(String(body['until']))
  expect(until % DAY_MS).toBe(0)
  const seconds = Number(response.headers.get('retry-after'))
  expect(Math.abs(seconds - (until - Date.now()) / 1_000)).toBeLessThan(5)
  const records = await recordsOf(broker.log, journey.sessionId)
  const types = records.map(({ type }) => type)
  expect(types).toContain('record_project_facts')
  expect(types).not.toContain('STEP_STARTED')
  expect(types.at(-1)).toBe('RUN_FINISHED')
})
