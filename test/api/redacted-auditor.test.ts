import { expect, onTestFinished, test } from 'vitest'
import { revealingAuditor } from '../../apps/broker/journeys/revealing-auditor.fixture.ts'
import { allReads, foundIn } from '../../src/server/all-reads.fixture.ts'
import type { Ask } from '../../src/server/all-reads.fixture.ts'
import { PLANTED, plantedJourney } from './planted-journey.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

test('[X28] of 60 personal values in a whole journey an auditor reads none on any route before a reveal', async ({
  annotate,
}) => {
  expect(Object.keys(PLANTED)).toHaveLength(60)
  const api = await serveApi()
  onTestFinished(() => api.close())
  const { url, log } = api
  const journey = await plantedJourney(url)
  const { sessionId, tokens } = journey
  const stored = await recordsOf(log, sessionId)
  const inLog = foundIn(new Map([['log', JSON.stringify(stored)]]), PLANTED)
  expect(inLog).toHaveLength(60)

  const bearer = { authorization: `Bearer ${tokens.auditor}` }
  const asker =
    (own: Readonly<Record<string, string>>): Ask =>
    (path, asked = {}) =>
      fetch(`${url}${path}`, { ...asked, headers: { ...asked.headers, ...own } })
  const read = { thread: sessionId, agents: ['installer', 'customer'] }
  const head = stored.length - 1
  const answers = new Map(await allReads(asker(bearer), { ...read, head }))
  const others = api
    .routes()
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
    .map(({ path }) => path.replace(':id', sessionId))
  const replay = `/api/audit/${sessionId}/replay`
  for (const path of [...others, `/api/quotes?sessionId=${sessionId}`, replay]) {
    const body = path === replay ? { method: 'POST', body: '{"n":1}' } : {}
    const headers = { ...bearer, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { headers, ...body })
    answers.set(path, `${response.status} ${await response.text()}`)
  }
  const ofThread = [...answers].filter(
    ([path]) => path.includes('state') || path.includes(sessionId),
  )
  expect(ofThread.filter(([, text]) => text.startsWith('200')).length).toBeGreaterThan(20)
  const found = foundIn(answers, PLANTED)
  expect(found).toEqual([])
  expect(await revealsIn()).toEqual([])

  const auditor = await revealingAuditor(journey)
  const query = `reveal=${auditor.reveal}`
  const shown = await allReads(asker(auditor.headers), { ...read, head: auditor.reveal, query })
  const inLists = foundIn(
    new Map([...shown].filter(([path]) => path.startsWith('events'))),
    PLANTED,
  )
  expect(new Set(inLists.map((each) => each.split(' in ')[0])).size).toBe(60)
  expect(foundIn(await allReads(asker(auditor.headers), { ...read, head }), PLANTED)).toEqual([])
  expect(await revealsIn()).toMatchObject([{ seq: auditor.reveal, origin: { surface: 'auditor' } }])
  await annotate(
    `${found.length} of 60 values in ${answers.size} answers before a reveal, 60 after it; ${(await revealsIn()).length} of 1 reveals on record`,
    'promise',
  )

  async function revealsIn() {
    const records = await recordsOf(log, sessionId)
    return records.filter(({ type }) => type === 'reveal_personal_data')
  }
}, 60_000)
