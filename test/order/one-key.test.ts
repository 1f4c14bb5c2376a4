import { scriptedModel } from 'throughline'
import type { CallerEvent } from 'throughline'
import { expect, test } from 'vitest'
import { Journey, handOver } from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { call, readFrames, serveAgents } from '../../src/server/served-agents.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'
import { testBroker } from '../../apps/broker/journeys/test-broker.fixture.ts'

const POSTS = 100
const KEY = { 'idempotency-key': 'one key' }
const SHOWN = { type: 'present_disclosure', data: { id: 'service_status' } }
const EMAIL = { type: 'record_email_preference', data: { wantsEmailCopy: true } }

const allAtOnce = <Answer>(post: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: POSTS }, post))

const different = (answers: readonly unknown[]) =>
  new Set(answers.map((answer) => JSON.stringify(answer))).size

async function setUp() {
  let calls = 0
  const model = scriptedModel(() => `This is my answer ${++calls}.`)
  const broker = await testBroker({ model })
  const journeys = [await Journey.start(broker), await Journey.start(broker)] as const
  for (const journey of journeys) await handOver(journey)
  const before = calls
  return { broker, journeys, calls: () => calls - before }
}

test(`[S2] ${POSTS} turns under one key are one turn with one answer, for its caller only`, async ({
  annotate,
}) => {
  const { broker, journeys, calls } = await setUp()
  const [mine, other] = journeys
  const turn = (journey: Journey, side: 'customer' | 'installer', body: object) =>
    request(`${broker.url}/api/threads/${journey.sessionId}/runs`, {
      token: journey.tokens[side],
      headers: KEY,
      body: { agent: side, ...body },
    })
  const said = { input: 'Are you a lender?', events: [SHOWN] }
  const answers = await allAtOnce(() => turn(mine, 'customer', said))
  expect(answers[0]).toEqual({ status: 202, body: { runId: expect.any(String) } })
  const ends = async (journey: Journey) =>
    (await recordsOf(broker.log, journey.sessionId)).filter(({ type }) => type === 'RUN_FINISHED')
  await expect
    .poll(async () => (await ends(mine)).at(-1)?.origin.run)
    .toBe(answers[0]?.body['runId'])
  const seen = { executions: calls(), answers: different(answers) }
  expect(seen).toEqual({ executions: 1, answers: 1 })
  const records = await recordsOf(broker.log, mine.sessionId)
  const count = (wanted: string) => records.filter(({ type }) => type === wanted).length
  expect([count('present_disclosure'), count('event_refused')]).toEqual([1, 0])

  expect((await turn(mine, 'customer', { ...said, input: 'No?' })).status).toBe(422)
  expect((await turn(mine, 'customer', { ...said, events: [] })).status).toBe(422)
  expect(calls()).toBe(1)
  const installers = await turn(mine, 'installer', { input: 'Are you a lender?' })
  const others = await turn(other, 'customer', said)
  expect([installers.status, others.status]).toEqual([202, 202])
  const foreign = [installers, others].map(({ body }) => body['runId'])
  expect(foreign).not.toContain(answers[0]?.body['runId'])
  await broker.close()
  expect(calls()).toBe(3)
  const told = `turn: ${POSTS} posts, ${seen.executions} execution, ${seen.answers} answer`
  await annotate(
    `${told}; another body 422, 2 other principals got ${foreign.length} of their own`,
    'promise',
  )
})

test(`[S2] ${POSTS} clicks under one key are one click with one answer, for its caller only`, async ({
  annotate,
}) => {
  const { broker, journeys } = await setUp()
  const [mine, other] = journeys
  const propose = (journey: Journey, side: 'customer' | 'installer', events: readonly object[]) =>
    request(`${broker.url}/api/threads/${journey.sessionId}/events`, {
      token: journey.tokens[side],
      headers: KEY,
      body: { events },
    })
  const before = await broker.log.head(mine.sessionId)
  const eventsAfter = async (seq: number) =>
    (await recordsOf(broker.log, mine.sessionId)).filter(
      (record) => record.seq > seq && record.type !== 'CUSTOM',
    )
  const answers = await allAtOnce(() => propose(mine, 'customer', [SHOWN, EMAIL]))
  const seen = {
    events: (await eventsAfter(before)).length,
    answers: different(answers),
  }
  expect(answers[0]?.status).toBe(200)
  expect(seen).toEqual({ events: 2, answers: 1 })

  expect((await propose(mine, 'customer', [EMAIL, SHOWN])).status).toBe(422)
  const changed = { ...EMAIL, data: { wantsEmailCopy: false } }
  expect((await propose(mine, 'customer', [SHOWN, changed])).status).toBe(422)
  expect(await eventsAfter(before)).toHaveLength(2)
  const installers = await propose(mine, 'installer', [SHOWN, EMAIL])
  const others = await propose(other, 'customer', [SHOWN, EMAIL])
  expect(different([answers[0], installers, others])).toBe(3)
  expect(installers.body['refused']).toMatchObject([
    { reason: 'not_authorised' },
    { reason: 'not_authorised' },
  ])
  await broker.close()
  const told = `click: ${POSTS} posts, ${seen.events} events appended of 2, ${seen.answers} answer`
  await annotate(told, 'promise')
})

test(`[S2] ${POSTS} starts of an agent under one key are one run`, async ({ annotate }) => {
  const { url, close } = await serveAgents()
  const thread = `${url}/api/threads/t-1`
  const start = (input: string) => call(`${thread}/runs`, { agent: 'clerk', input }, KEY)
  const answers = await allAtOnce(() => start('Case 7?'))
  expect(answers[0]?.status).toBe(202)
  await readFrames(`${thread}/events?view=agent`, ({ type }) => type === 'turn_end')
  const { body } = await call(`${thread}/events?view=agent`)
  // Told by this server, in the shape that its client reads.
  const events = body['events'] as unknown as readonly CallerEvent[]
  const runs = events.filter(({ type, depth }) => type === 'prompt_started' && depth === 0).length
  const seen = { runs, answers: different(answers) }
  expect(seen).toEqual({ runs: 1, answers: 1 })
  expect((await start('Case 8?')).status).toBe(422)
  await close()
  await annotate(`run: ${POSTS} posts, ${seen.runs} run, ${seen.answers} answer`, 'promise')
})
