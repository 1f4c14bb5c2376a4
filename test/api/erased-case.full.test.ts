import { expect, onTestFinished, test } from 'vitest'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { allReads, foundIn } from '../../src/server/all-reads.fixture.ts'
import type { Ask } from '../../src/server/all-reads.fixture.ts'
import { PLANTED, plantedJourney } from './planted-journey.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

const ROLES = ['installer', 'customer', 'auditor'] as const

test('[L4] after a case was erased no route shows a planted value to any role, and each answers as before', async ({
  annotate,
}) => {
  const api = await serveApi()
  onTestFinished(() => api.close())
  const journey = await plantedJourney(api.url)
  const { sessionId, tokens } = journey
  const paths = api
    .routes()
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
    .map(({ path }) => path.replace(':id', sessionId))
    .concat(`/api/quotes?sessionId=${sessionId}`)
  const readBy = async (role: (typeof ROLES)[number]) => {
    const authorization = `Bearer ${tokens[role]}`
    const ask: Ask = (path, asked = {}) =>
      fetch(`${api.url}${path}`, { ...asked, headers: { ...asked.headers, authorization } })
    const head = await api.log.head(sessionId)
    const answers = new Map(await allReads(ask, { thread: sessionId, head }))
    for (const path of paths) {
      const response = await ask(path)
      answers.set(path, `${response.status} ${await response.text()}`)
    }
    return answers
  }
  // The erasure is a record of its own, so that addresses with the head name another seq after it.
  const statuses = (answers: ReadonlyMap<string, string>) =>
    Object.fromEntries(
      [...answers].flatMap(([path, text]) =>
        path.startsWith('state?at=')
          ? []
          : [[path.replace(/\b(after|from|at)=\d+/, '$1'), text.slice(0, 3)]],
      ),
    )
  const before = new Map<string, unknown>()
  for (const role of ROLES) {
    const answers = await readBy(role)
    expect(foundIn(answers, PLANTED).length).toBeGreaterThan(role === 'auditor' ? -1 : 20)
    before.set(role, statuses(answers))
  }
  await api.throughline.erase(sessionId, { by: 'operator-7', why: 'asked by letter' })
  let [found, asked] = [0, 0]
  for (const role of ROLES) {
    const answers = await readBy(role)
    expect(statuses(answers)).toEqual(before.get(role))
    expect([...answers].filter(([, text]) => text.startsWith('5'))).toEqual([])
    found += foundIn(answers, PLANTED).length
    asked += answers.size
  }
  expect(found).toBe(0)
  const records = await recordsOf(api.log, sessionId)
  expect(records.at(-1)?.type).toBe('thread_erased')
  const turn = await journey.turn('customer', { userMessage: 'Hello' })
  expect(turn).toMatchObject({ status: 409 })
  const events = { events: [{ type: 'withdraw', data: {} }] }
  const refused = await request(`${api.url}/api/threads/${sessionId}/events`, {
    token: tokens.customer,
    body: events,
  })
  expect(refused).toMatchObject({ status: 409, body: { code: 'erased' } })
  await annotate(`${found} of 60 values in ${asked} answers after an erasure`, 'promise')
}, 60_000)
