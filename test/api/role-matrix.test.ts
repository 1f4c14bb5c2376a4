import { afterAll, beforeAll, expect, test } from 'vitest'
import { begunCase, deskThread, restful } from './case.fixture.ts'
import type { Subject } from './fuzz.fixture.ts'
import {
  RULES,
  askFor,
  askersWith,
  mayOnlyEnter,
  mayUse,
  namesThread,
  seen,
} from './role-matrix.fixture.ts'
import type { Asker, Rule } from './role-matrix.fixture.ts'
import { progress, serveApi } from './served-api.fixture.ts'
import type { Route, ServedApi } from './served-api.fixture.ts'

const OPERATOR = 'open-sesame-said-the-operator-of-it'

let api: ServedApi

beforeAll(async () => {
  api = await serveApi({ operatorToken: OPERATOR, publicUrl: 'http://localhost' })
})

afterAll(() => api.close())

async function newSubject(): Promise<Subject> {
  const own = await begunCase(api, OPERATOR)
  const foreign = await begunCase(api, OPERATOR)
  return { port: api.port, own, foreign, desk: await deskThread(api, OPERATOR), run: 'no-run' }
}

interface Cell {
  readonly route: Route
  readonly rule: Rule
  readonly asker: Asker
  readonly subject: Subject
}

/** What is wrong with how somebody is answered who may not: unlike an unknown thread, or with an effect. */
async function leakOf(cell: Cell, thread: string): Promise<string | undefined> {
  const { route, asker, subject } = cell
  const before = await progress(api.log)
  const answer = await askFor(route, { thread, asker, subject })
  const unknown = await askFor(route, { thread: crypto.randomUUID(), asker, subject })
  const expected = asker.name === 'nobody' ? 401 : 404
  if (answer.status !== expected) return `answered ${answer.status}, not ${expected}`
  if (JSON.stringify(seen(answer)) !== JSON.stringify(seen(unknown))) {
    return `unlike unknown: ${JSON.stringify([seen(answer), seen(unknown)])}`
  }
  return (await progress(api.log)) === before ? undefined : 'something was appended'
}

/** What is wrong with how somebody is answered who may. */
async function denialOf(cell: Cell): Promise<string | undefined> {
  const { route, asker, subject } = cell
  const answer = await askFor(route, { thread: subject.own.sessionId, asker, subject })
  if (answer.body.includes(subject.foreign.sessionId)) return 'told of the foreign case'
  const code = /"code":"(\w+)"/.exec(answer.body)?.[1] ?? ''
  return ['unauthenticated', 'not_found', 'cross_origin'].includes(code) ? code : undefined
}

/** What is wrong with how somebody is answered who may enter, and not do this. */
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
  const threads = [subject.own.sessionId, subject.desk]
  const [own = '', desk = ''] = threads
  const found = mayUse(rule, asker)
    ? [await denialOf(cell)]
    : mayOnlyEnter(rule, asker)
      ? [await forbiddenOf(cell), await leakOf(cell, desk)]
      : [await leakOf(cell, own), await leakOf(cell, desk)]
  return found
    .filter((fault) => fault !== undefined)
    .map((fault) => `${route.method} ${route.path} for ${asker.name}: ${fault}`)
}

test('[X7] every route, for everybody, on own, foreign and unknown threads: nothing crosses, nothing tells', async ({
  annotate,
}) => {
  const routes = api.routes()
  const unruled = routes.filter(({ method, path }) => !RULES[`${method} ${path}`])
  expect(unruled, 'say in role-matrix.fixture.ts who may use these').toEqual([])
  const faults: string[] = []
  let cells = 0
  // A case that is only read stays as it was; every other route gets a new one.
  const readOnly = await newSubject()
  for (const route of routes.filter(namesThread)) {
    const rule = RULES[`${route.method} ${route.path}`]
    if (!rule) continue
    const subject = route.method === 'GET' ? readOnly : await newSubject()
    for (const asker of askersWith(subject, OPERATOR)) {
      faults.push(...(await faultsOf({ route, rule, asker, subject })))
      await restful(api)
      cells++
    }
  }
  expect(faults).toEqual([])
  await annotate(
    `${faults.length} of ${cells} combinations of route and person read, wrote or told apart a thread that is not theirs`,
    'promise',
  )
})

test('[X7] a stream opens for whom the thread opens, and for nobody else', async () => {
  const subject = await newSubject()
  const route = { method: 'GET', path: '/api/threads/:id/events' }
  for (const asker of askersWith(subject, OPERATOR)) {
    const may = asker.name === 'operator' || asker.name.startsWith('own')
    for (const thread of [subject.own.sessionId, crypto.randomUUID()]) {
      const answer = await askFor(route, { thread, asker, subject }, 'text/event-stream')
      const refused = asker.name === 'nobody' ? 401 : 404
      const expected = may && thread === subject.own.sessionId ? 200 : refused
      expect([asker.name, answer.status]).toEqual([asker.name, expected])
      expect(answer.body).not.toContain(subject.foreign.sessionId)
    }
  }
})

test('[X7] what is the operator’s is nobody else’s', async () => {
  const subject = await newSubject()
  const operators = api
    .routes()
    .filter((route) => RULES[`${route.method} ${route.path}`]?.takes.length === 0)
  for (const route of operators.filter((each) => !namesThread(each))) {
    for (const asker of askersWith(subject, OPERATOR)) {
      const before = await progress(api.log)
      const { status } = await askFor(route, { thread: '', asker, subject })
      if (asker.name === 'operator') expect(status).toBeLessThan(300)
      else expect([asker.name, status]).toEqual([asker.name, 401])
      if (asker.name !== 'operator') expect(await progress(api.log)).toBe(before)
    }
  }
})
