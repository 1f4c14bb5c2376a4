import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { begunCase, get, newCase, parsed, post, turnIn } from '../api/case.fixture.ts'
import type { Case } from '../api/case.fixture.ts'
import { serveApi } from '../api/served-api.fixture.ts'
import type { ServedApi } from '../api/served-api.fixture.ts'

let api: ServedApi

beforeAll(async () => {
  api = await serveApi()
})

afterAll(() => api.close())

const ROLES = ['installer', 'customer', 'auditor'] as const

interface Served {
  readonly seq: number
  readonly state: unknown
  readonly hash: string
}

async function stateOf({ sessionId, tokens }: Case, role: (typeof ROLES)[number], at?: number) {
  const query = at === undefined ? '' : `?at=${at}`
  return parsed<Served>(await get(api, `/api/threads/${sessionId}/state${query}`, tokens[role]))
}

/** Notes what each role is served live: after each step, and all the time between. */
function watch(made: Case) {
  const seen: { readonly role: (typeof ROLES)[number]; readonly served: Served }[] = []
  let going = true
  const note = async () => {
    for (const role of ROLES) seen.push({ role, served: await stateOf(made, role) })
  }
  const done = (async () => {
    while (going) await note()
  })()
  return {
    note,
    async stop() {
      going = false
      await done
      return seen
    },
  }
}

const YES = { isOver18: true, isUkResident: true, isHomeowner: true, isEmployed: true }
const PERSONAL = { fullName: 'Sarah Jones', dateOfBirth: '1984-03-02', postcode: 'SW1A 1AA' }
const ADDRESS = { addressLine1: '1 High Street', town: 'London', propertyType: 'Terraced' }
const MONEY = { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 }

/** One event after another, so that each has a state of its own. */
const STEPS: readonly (readonly [string, object])[] = [
  ['present_disclosure', { id: 'service_status' }],
  ['acknowledge_disclosure', { id: 'service_status' }],
  ['record_eligibility', YES],
  ['record_provisional_quote', { termMonths: 120 }],
  ['record_provisional_quote', { termMonths: 96 }],
  ['record_email_preference', { wantsEmailCopy: false }],
  ['record_personal_facts', PERSONAL],
  ['record_personal_facts', { ...ADDRESS, residentialStatus: 'Mortgaged' }],
  ['record_financial_facts', { ...MONEY, annualIncome: 'much' }],
  ['record_financial_facts', MONEY],
  ['become_admin', {}],
  ['record_vulnerability_indicators', { indicators: ['financial_difficulty'], note: 'a note' }],
  ['present_disclosure', { id: 'credit_search_consent' }],
  ['capture_consent', { consentType: 'credit_search', granted: true }],
]

async function live(made: Case, note = () => Promise.resolve()): Promise<void> {
  const { sessionId, tokens } = made
  const token = tokens.customer
  for (const [type, data] of STEPS) {
    const body = { events: [{ type, data }] }
    await post(api, `/api/threads/${sessionId}/events`, { body, token })
    await note()
  }
  const turns = [
    { userMessage: 'Are you a lender?' },
    { directEvents: [{ type: 'acknowledge_disclosure', data: { id: 'pre_contract_summary' } }] },
    {},
    { directEvents: [{ type: 'withdraw', data: { reason: 'I changed my mind' } }] },
  ]
  for (const turn of turns) {
    await turnIn(api, made, { side: 'customer', ...turn })
    await note()
  }
}

test('[L6] the state at every seq is the one that was served live then', async ({ annotate }) => {
  const made = await begunCase(api)
  const watching = watch(made)
  await live(made, watching.note)
  const seen = await watching.stop()
  const head = await api.log.head(made.sessionId)
  const different: string[] = []
  for (const { role, served } of seen) {
    const again = await stateOf(made, role, served.seq)
    if (JSON.stringify(again) !== JSON.stringify(served)) different.push(`${role} at ${served.seq}`)
  }
  expect(different).toEqual([])
  const seqs = new Set(seen.map(({ served }) => served.seq))
  expect(seqs.size).toBeGreaterThan(STEPS.length)
  expect(Math.max(...seqs)).toBe(head)
  await annotate(
    `${different.length} of ${seen.length} states served live at ${seqs.size} of ${head + 1} seqs are shown differently later`,
    'promise',
  )
})

test('[L6] the state at every seq is the one that its records alone lead to', async ({
  annotate,
}) => {
  const made = await begunCase(api)
  await live(made)
  const { sessionId, tokens } = made
  const head = await api.log.head(sessionId)
  const copy = await serveApi()
  // Held elsewhere, so that the copy's server ends no run and begins no work of its own in between.
  await copy.log.leases.acquire(sessionId)
  let different = 0
  for (let at = 0; at <= head; at++) {
    for await (const [record] of api.log.read(sessionId, { after: at - 1, limit: 1 })) {
      if (record) await copy.log.append(sessionId, [record])
    }
    for (const role of ROLES) {
      const then = await stateOf(made, role, at)
      // Asked for at its end as well: within a commit, a log that ended there would derive the rest.
      const alone = await get(copy, `/api/threads/${sessionId}/state?at=${at}`, tokens[role])
      if (JSON.stringify(parsed(alone)) !== JSON.stringify(then)) different++
      const hash = createHash('sha256').update(JSON.stringify(then.state)).digest('hex')
      if (then.hash !== hash || then.seq !== at) different++
    }
  }
  await copy.close()
  expect(different).toBe(0)
  const states = (head + 1) * ROLES.length
  await annotate(
    `${different} of ${states} states, at each of ${head + 1} seqs for ${ROLES.length} roles, differ from a log that ends there`,
    'promise',
  )
})

test('[L6] there is no state before the first record or after the last', async () => {
  const made = await newCase(api)
  const url = `/api/threads/${made.sessionId}/state`
  for (const at of ['-1', '1', '99', '1.5', 'x', '1e1']) {
    expect((await get(api, `${url}?at=${at}`, made.tokens.auditor)).status).toBe(400)
  }
})
