import { randomUUID } from 'node:crypto'
import { Gate, TokenIssuer } from 'throughline/server/extend'
import { sha256 } from 'throughline/log'
import { Tokens } from 'throughline/server'
import { expect, test } from 'vitest'
import { EMITTERS, START, domain } from '../case/given-case.fixture.ts'
import type { Act } from '../case/given-case.fixture.ts'
import { JOURNEY } from '../case/journey.fixture.ts'
import { CUSTOMER_STEPS, Journey, acceptOffer, handOver, offerSeed } from './journey.fixture.ts'
import { revealingAuditor } from './revealing-auditor.fixture.ts'
import { SECRET, request } from './served-broker.fixture.ts'
import type { ServedBroker } from './served-broker.fixture.ts'
import { memoryLog } from '../../../test/memory-log.fixture.ts'
import { testBroker } from './test-broker.fixture.ts'

interface Entry {
  readonly ts: string
  readonly kind: string
  readonly summary: string
}

interface Audit {
  readonly timeline: readonly Entry[]
  readonly compliance: {
    readonly durations: { readonly sessionMs: number }
    readonly anomalies: readonly { readonly code: string }[]
  }
}

async function audit(journey: Journey, { url } = journey.broker): Promise<Audit> {
  const { read } = await revealingAuditor(journey, { url })
  const { body } = await read(`/api/audit/${journey.sessionId}`)
  return body as unknown as Audit
}

/** Kinds of timeline entries for facts that a seed holds with their times. */
const TOLD: ReadonlySet<string> = new Set([
  'case_created',
  'disclosure_presented',
  'disclosure_acknowledged',
  'consent_recorded',
  'eligibility_recorded',
  'quote_recorded',
  'email_preference_recorded',
  'vulnerability_recorded',
  'submission',
  'waterfall_step',
  'selected',
  'message',
])

/** Their records are a moment later than the times that the case holds. */
const UNTIMED: ReadonlySet<string> = new Set(['message', 'waterfall_step'])

const told = ({ timeline }: Audit) =>
  timeline
    .filter(({ kind }) => TOLD.has(kind))
    .map(({ ts, kind, summary }) => (UNTIMED.has(kind) ? summary : `${ts} ${kind} ${summary}`))

const inTime = ({ timeline }: Audit) =>
  timeline.every(({ ts }, index) => index === 0 || ts >= (timeline[index - 1]?.ts ?? ''))

/** A case that was lived through on the first server, and goes on at the second. */
async function livedThrough(
  steps = CUSTOMER_STEPS.length,
): Promise<{ journey: Journey; first: ServedBroker; second: ServedBroker }> {
  const [first, second] = [await testBroker(), await testBroker()]
  const journey = await Journey.start(first)
  for (const step of [handOver, ...CUSTOMER_STEPS.slice(0, steps)]) await step(journey)
  return { journey, first, second }
}

test('[B051] [B010] the audit of a case recovered twice has the same entries with the same times', async () => {
  const { journey, second } = await livedThrough()
  await acceptOffer(journey)
  const third = await testBroker()
  const { body } = await offerSeed(journey, journey.seed ?? '', second)
  await offerSeed(journey, String(body['seed']), third)
  const [before, after] = [await audit(journey), await audit(journey, third)]
  expect(told(after).toSorted()).toEqual(told(before).toSorted())
  expect(told(after).length).toBeGreaterThan(20)
  expect(inTime(after)).toBe(true)
  expect(after.timeline.map(({ kind }) => kind)).toContain('case_recovered')
  const { durations, anomalies, ...compliance } = after.compliance
  expect(before.compliance).toMatchObject(compliance)
  const codesIn = (audited: Audit) => audited.compliance.anomalies.map(({ code }) => code)
  expect(anomalies.length).toBeGreaterThan(0)
  expect(codesIn(after)).toEqual(codesIn(before))
  const { sessionMs, ...others } = before.compliance.durations
  expect(durations).toMatchObject(others)
  expect(durations.sessionMs).toBeGreaterThanOrEqual(sessionMs)
})

test.each([0, 3, 8, 9])(
  '[B067] [B010] where a case comes back after step %i, the audit tells each thing once and in its order',
  async (step) => {
    const { journey, first, second } = await livedThrough(step)
    journey.broker = second
    await offerSeed(journey, journey.seed ?? '')
    for (const next of [...CUSTOMER_STEPS.slice(step), acceptOffer]) await next(journey)
    await offerSeed(journey, journey.seed ?? '', first)
    const [there, back] = [await audit(journey), await audit(journey, first)]
    expect(told(back).toSorted()).toEqual(told(there).toSorted())
    expect(new Set(told(back)).size).toBe(told(back).length)
    expect(inTime(back)).toBe(true)
  },
)

test('[B051] the disclosures of a case that was brought back can be replayed', async () => {
  const { journey, first, second } = await livedThrough()
  const replay = (server: ServedBroker) =>
    request(`${server.url}/api/audit/${journey.sessionId}/replay`, {
      token: journey.tokens.auditor,
      body: { n: 1, seed: journey.seed },
    })
  const [before, after] = [await replay(first), await replay(second)]
  expect(after.status).toBe(200)
  const idsIn = ({ body }: typeof after) =>
    (body['disclosures'] as unknown as { disclosureId: string }[]).map((each) => each.disclosureId)
  expect(idsIn(after)).toEqual(idsIn(before))
  expect(idsIn(after)).toHaveLength(3)
  expect(after.body['overallPassRate']).toBe(before.body['overallPassRate'])
})

test('a case in which nothing was shown is brought back and cannot be replayed', async () => {
  const { journey, second } = await livedThrough(0)
  const { status } = await request(`${second.url}/api/audit/${journey.sessionId}/replay`, {
    token: journey.tokens.auditor,
    body: { n: 1, seed: journey.seed },
  })
  expect(status).toBe(400)
})

test('[B049] every route that reads a case shows what the rules would derive, and appends nothing', async () => {
  const id: () => string = randomUUID
  const log = memoryLog()
  const thread = 'case-1'
  // Recorded by a server that had no rules yet.
  const before = new Gate({ log, domain: { ...domain, rules: [] }, now: () => START, id, sha256 })
  const acts: readonly Act[] = Object.values(JOURNEY)
  for (const { by, type, data = {} } of acts) {
    await before.commit(thread, [{ id: id(), type, data, origin: EMITTERS[by] }], { typed: true })
    if (type === 'capture_consent') break
  }
  const head = await log.head(thread)
  const broker = await testBroker({ log })
  const issuer = new TokenIssuer({ tokens: new Tokens([SECRET]), log })
  const { token } = await issuer.issue({ thread, role: 'customer' })
  const { token: auditor } = await issuer.issue({ thread, role: 'auditor' })
  const shown = async (path: string, member: string, of = token) => {
    const { body } = await request(`${broker.url}${path}`, { token: of })
    const { disclosures } = body[member] as unknown as { disclosures: { id: string }[] }
    return disclosures.map((each) => [each.id, 'acknowledgedAt' in each])
  }
  const derived = [
    ['service_status', true],
    ['credit_search_consent', true],
    ['pre_contract_summary', false],
  ]
  expect(await shown(`/api/session/${thread}`, 'case')).toEqual(derived)
  expect(await shown(`/api/threads/${thread}/state`, 'state')).toEqual(derived)
  expect(await shown(`/api/audit/${thread}`, 'case', auditor)).toEqual(derived)
  const { body } = await request(`${broker.url}/api/session/${thread}/seed`, {
    token,
    body: { seed: 'none' },
  })
  expect(body['case']).toMatchObject({
    disclosures: [{}, { acknowledgedAt: expect.any(String) }, {}],
  })
  expect(await log.head(thread)).toBe(head)
})
