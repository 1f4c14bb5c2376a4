import { afterAll, beforeAll, expect, test } from 'vitest'
import { begunCase, deskThread, parsed, post, restful } from './case.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import {
  FORK,
  TEAM,
  RULES,
  askFor,
  askersWith,
  isKnown,
  mayBegin,
  mayOnlyEnter,
  mayUse,
  namesThread,
  seen,
} from './role-matrix.fixture.ts'
import type { Asker, Bearers, Rule } from './role-matrix.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'

const OPERATOR = 'open-sesame-said-the-operator-of-it'

let api: ServedApi
let bearers: Bearers
/** A case that no caller of these tests may change. */
let foreign: Subject['foreign']

beforeAll(async () => {
  api = await serveApi({ operatorToken: OPERATOR, publicUrl: 'http://localhost' })
  const body = { subject: 'ann', agents: ['desk'] }
  const issued = await post(api, '/api/tokens', { body, token: OPERATOR })
  expect(issued.status).toBe(201)
  bearers = { operator: OPERATOR, caller: parsed<{ readonly token: string }>(issued).token }
  foreign = await begunCase(api, OPERATOR)
})

afterAll(() => api.close())

async function newSubject(): Promise<Subject> {
  const own = await begunCase(api, OPERATOR)
  return { port: api.port, own, foreign, desk: await deskThread(api, OPERATOR), run: 'no-run' }
}

interface Cell {
  readonly route: Route
  readonly rule: Rule
  readonly asker: Asker
  readonly subject: Subject
}

/** The faults of answers to a caller without access: unlike an unknown thread, or with an effect. */
async function leaksOf(cell: Cell, ...threads: readonly string[]): Promise<string[]> {
  const { route, rule, asker, subject } = cell
  const before = await progress(api.log)
  const unknown = seen(await askFor(route, { thread: crypto.randomUUID(), asker, subject }))
  const expected = isKnown(asker) ? (rule.unknown ?? 404) : 401
  const faults: string[] = []
  for (const thread of threads) {
    const answer = await askFor(route, { thread, asker, subject })
    if (answer.status !== expected) faults.push(`answered ${answer.status}, not ${expected}`)
    const alike = JSON.stringify(seen(answer)) === JSON.stringify(unknown)
    if (!alike && !mayBegin(route, asker)) {
      faults.push(`unlike unknown: ${JSON.stringify([seen(answer), unknown])}`)
    }
  }
  if ((await progress(api.log)) !== before) faults.push('something was appended')
  return faults
}

/** The fault of an answer to a caller with the permission. */
async function denialOf(cell: Cell): Promise<string | undefined> {
  const { route, asker, subject } = cell
  const answer = await askFor(route, { thread: subject.own.sessionId, asker, subject })
  if (answer.body.includes(subject.foreign.sessionId)) return 'told of the foreign case'
  const code = /"code":"(\w+)"/.exec(answer.body)?.[1] ?? ''
  return ['unauthenticated', 'not_found', 'cross_origin'].includes(code) ? code : undefined
}

/** The fault of an answer to a caller that may enter without this permission. */
async function forbiddenOf({ route, asker, subject }: Cell): Promise<string | undefined> {
  const before = await progress(api.log)
  const answer = await askFor(route, { thread: subject.own.sessionId, asker, subject })
  if (answer.status !== 403 || !answer.body.includes('"code":"forbidden"')) {
    return `answered ${answer.status}, not 403 forbidden`
  }
  return (await progress(api.log)) === before ? undefined : 'something was appended'
}

async function faultsOf(cell: Cell): Promise<string[]> {
  const { route, rule, asker, subject } = cell
  const [own, desk] = [subject.own.sessionId, subject.desk]
  const found = mayUse(rule, asker)
    ? [await denialOf(cell)]
    : mayOnlyEnter(rule, asker)
      ? [await forbiddenOf(cell), ...(await leaksOf(cell, desk))]
      : await leaksOf(cell, own, desk)
  return found
    .filter((fault) => fault !== undefined)
    .map((fault) => `${route.method} ${route.path} for ${asker.name}: ${fault}`)
}

test('[X7] every route, for everybody, on own, foreign and unknown threads: nothing crosses, nothing tells', async ({
  annotate,
}) => {
  const routes = api.routes()
  const unruled = routes.filter(({ method, path }) => !RULES[`${method} ${path}`])
  expect(unruled, 'add the callers of these to role-matrix.fixture.ts').toEqual([])
  const faults: string[] = []
  let cells = 0
  // A case that is only read stays as it was; every other route gets a new one.
  const readOnly = await newSubject()
  for (const route of routes.filter(namesThread)) {
    const rule = RULES[`${route.method} ${route.path}`]
    if (!rule) continue
    const subject = route.method === 'GET' ? readOnly : await newSubject()
    for (const asker of askersWith(subject, bearers)) {
      faults.push(...(await faultsOf({ route, rule, asker, subject })))
      // Only a caller whom the route admits can have begun a run.
      if (route.method !== 'GET' && mayUse(rule, asker)) await restful(api)
      cells++
    }
  }
  expect(faults).toEqual([])
  await annotate(
    `${faults.length} of ${cells} combinations of route and person read, wrote or told apart a thread that is not theirs`,
    'promise',
  )
})

test('[X7] a stream opens for callers with access to the thread, and for no others', async () => {
  const subject = await newSubject()
  const route = { method: 'GET', path: '/api/threads/:id/events' }
  for (const asker of askersWith(subject, bearers)) {
    const may = asker.name === 'operator' || asker.name.startsWith('own')
    for (const thread of [subject.own.sessionId, crypto.randomUUID()]) {
      const answer = await askFor(route, { thread, asker, subject }, 'text/event-stream')
      const refused = isKnown(asker) ? 404 : 401
      const expected = may && thread === subject.own.sessionId ? 200 : refused
      expect([asker.name, answer.status]).toEqual([asker.name, expected])
      expect(answer.body).not.toContain(subject.foreign.sessionId)
    }
  }
})

test('[X7] the operator’s routes are closed to all others', async () => {
  const subject = await newSubject()
  const operators = api
    .routes()
    .filter((route) => RULES[`${route.method} ${route.path}`]?.takes.length === 0)
  for (const route of operators.filter((each) => !namesThread(each))) {
    const rule = RULES[`${route.method} ${route.path}`]
    const isTeams = rule === TEAM
    for (const asker of askersWith(subject, bearers)) {
      if ((isTeams || rule === FORK) && asker.name === 'operator') continue
      const before = await progress(api.log)
      const { status } = await askFor(route, { thread: '', asker, subject })
      if (asker.name === 'operator') expect(status).toBeLessThan(300)
      // A thread of the operator's is to others as one that is not there.
      else expect(isTeams ? [401, 404] : [401], `${route.path} ${asker.name}`).toContain(status)
      if (asker.name !== 'operator') expect(await progress(api.log)).toBe(before)
    }
  }
})
