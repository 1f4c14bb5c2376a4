import { jwtDecrypt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { begunCase, get, newCase, parsed, post, turnIn } from './case.fixture.ts'
import type { Case } from './case.fixture.ts'
import { forgedSeeds, forgedTokens, keyOf, mutations, soundToken } from './forged-tokens.fixture.ts'
import type { Forged } from './forged-tokens.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

let api: ServedApi
let own: Case

beforeAll(async () => {
  api = await serveApi()
  own = await begunCase(api)
})

afterAll(() => api.close())

test('[X6] no token that was changed anywhere, or made by anybody else, is accepted', async ({
  annotate,
}) => {
  const changed = thinned(mutations(own.tokens.customer), timesInTier({ quick: 5, full: 1 }))
  const made = await forgedTokens(own.sessionId)
  const accepted: string[] = []
  const inBody = (text: string) => post(api, '/api/token', { body: { token: text } })
  const inHeader = (text: string) => get(api, stateOf(own), text)
  const tryIn = async (door: typeof inBody, { name, text }: Forged) => {
    const answer = await door(text)
    const refused = answer.status === 401 || answer.status === 404
    if (!refused || answer.headers['set-cookie']) accepted.push(name)
  }
  for (const [at, forged] of changed.entries()) {
    // In a header it has to be one line.
    await tryIn(at % 2 === 0 || /\s/.test(forged.text) ? inBody : inHeader, forged)
  }
  for (const forged of made) {
    await tryIn(inBody, forged)
    await tryIn(inHeader, forged)
  }
  expect(accepted).toEqual([])
  for (const token of [own.tokens.customer, soundToken(own.sessionId)]) {
    expect((await get(api, stateOf(own), token)).status).toBe(200)
  }
  await annotate(
    `${accepted.length} of ${changed.length + made.length} forged tokens accepted`,
    'promise',
  )
})

test('[X6] a token does for its own role and thread only', async () => {
  const other = await newCase(api)
  for (const role of ['installer', 'customer', 'auditor'] as const) {
    expect((await get(api, stateOf(other), own.tokens[role])).status).toBe(404)
    const audit = await get(api, `/api/audit/${own.sessionId}`, own.tokens[role])
    expect(audit.status).toBe(role === 'auditor' ? 200 : 404)
  }
})

test('[X6] no seed that was changed anywhere, made by anybody else or for another case, is taken', async ({
  annotate,
}) => {
  const lost = await serveApi()
  const { sessionId, tokens } = own
  const { session } = await turnIn(api, own, {
    side: 'customer',
    userMessage: 'Are you a lender?',
  })
  const seed = String(session['seed'])
  const { payload } = await jwtDecrypt(seed, keyOf('seed'))
  const content = payload['content'] as Record<string, unknown>
  const foreign = await newCase(api)
  const others = parsed<{ seed: string }>(
    await get(api, `/api/session/${foreign.sessionId}`, foreign.tokens.installer),
  )
  // Every position of a long text would take long; those of its ends and some between tell as much.
  const changed = thinned(mutations(seed), timesInTier({ quick: 97, full: 29 }))
  const forged = [
    ...changed,
    ...(await forgedSeeds(content)),
    { name: 'of another case', text: others.seed },
    { name: 'a token', text: tokens.customer },
  ]
  const taken: string[] = []
  for (const { name, text } of forged) {
    const before = await progress(lost.log)
    const target = `/api/session/${sessionId}/seed`
    const hydrated = await post(lost, target, { body: { seed: text }, token: tokens.customer })
    if (hydrated.status !== 404 || (await progress(lost.log)) !== before) {
      taken.push(`${name}: ${hydrated.status} ${hydrated.body.slice(0, 200)}`)
    }
  }
  expect(taken).toEqual([])
  const whole = await post(lost, `/api/session/${sessionId}/seed`, {
    body: { seed },
    token: tokens.customer,
  })
  expect(parsed(whole)).toMatchObject({ hydrated: true })
  await lost.close()
  await annotate(`${taken.length} of ${forged.length} forged recovery seeds taken`, 'promise')
})

/** Leaves out most changes of a single character: of these it keeps one in `each`. */
function thinned(changes: readonly Forged[], each: number): readonly Forged[] {
  return changes.filter(({ name }, at) => at % each === 0 || !name.startsWith('character'))
}

function stateOf({ sessionId }: Case): string {
  return `/api/threads/${sessionId}/state`
}
