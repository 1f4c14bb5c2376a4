import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { forge } from '../../../test/durability/forge.fixture.ts'
import { MemoryLog, NOTHING_UNANCHORED } from '../../log/index.ts'
import type { EventLog } from '../../log/index.ts'
import { logWith } from '../../log/log-with.fixture.ts'
import { openLog, sha256, uuidv7 } from '../../storage/index.ts'
import { counted, freshPath, tamper } from '../../storage/sqlite-folder.fixture.ts'
import { problemOf, problemResponse } from '../problems/problem.ts'
import { FINDINGS_MAX, StoreVerification, VERIFIED_RECORDS_MAX } from './store-verification.ts'

function served(log: EventLog) {
  const app = new Hono()
  const verification = new StoreVerification(log)
  app.get('/api/verify', (context) => verification.answer(context))
  app.onError((error) => problemResponse(problemOf(error)))
  return async (query = '') => {
    const response = await app.request(`/api/verify${query}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
}

test('[L9] the store is verified page by page, threads that only the heads know included', async () => {
  const path = freshPath()
  const before = await openLog(`sqlite:${path}`)
  for (let n = 0; n < 8; n++) await before.append(`t${n}`, counted(0, 3))
  await before.close()
  forge(path, 't2', 2)
  forge(path, 'new', 1)
  tamper(path, 'UPDATE records SET hash = upper(hash) WHERE seq = 1 AND thread = 5')
  tamper(path, 'DELETE FROM records WHERE thread = 7', 'DELETE FROM threads WHERE number = 7')
  const log = await openLog(`sqlite:${path}`)
  const verify = served(log)
  const { body } = await verify()
  expect(body).toMatchObject({ ok: false, threads: 9, unsound: 2, unanchored: 3 })
  expect(body['findings']).toMatchObject([
    { thread: 't2', ok: true, head: 4, anchored: { seq: 2 }, unanchored: 2, unanchoredFrom: [3] },
    { thread: 't4', ok: false, firstBadSeq: 1 },
    { thread: 'new', ok: true, head: 0, unanchored: 1, unanchoredFrom: [0] },
    { thread: 't6', ok: false, head: -1, firstBadSeq: 0, anchored: { seq: 2 } },
  ])
  expect(body).not.toHaveProperty('next')
  const pages = [await verify('?limit=4'), await verify('?from=4&limit=4'), await verify('?from=8')]
  expect(pages.map((page) => page.body['next'])).toEqual([4, 8, undefined])
  expect(pages.flatMap((page) => page.body['findings'])).toEqual(body['findings'])
  expect(await verify('?limit=0')).toMatchObject({ status: 400, body: { code: 'invalid_query' } })
  await log.close()
})

test('a page says how many threads were there before their key, and when they got it', async () => {
  const path = freshPath()
  const before = await openLog(`sqlite:${path}`)
  for (let n = 0; n < 3; n++) await before.append(`t${n}`, counted(0, 2))
  await before.close()
  const log = await openLog(`sqlite:${path}`, {
    anchorKeys: ['a key of more than thirty-two bytes'],
  })
  await log.append('new', counted(0, 1))
  const verify = served(log)
  const { adopted } = await log.verify('t0')
  expect((await verify()).body).toMatchObject({
    ok: true,
    threads: 4,
    adopted: { threads: 3, ts: adopted?.ts },
    findings: [],
  })
  expect((await verify('?from=3')).body).not.toHaveProperty('adopted')
  await log.close()
})

test('[L9] one request does no more than its bounds allow, and one is answered at a time', async () => {
  const many = Math.ceil(VERIFIED_RECORDS_MAX / 2)
  const empty = new MemoryLog({ hash: sha256, now: () => 0, id: uuidv7 })
  const log = logWith(empty, {
    async *verifyAll({ from = 0 } = {}) {
      for (const thread of ['a', 'b', 'c'].slice(from)) {
        yield { thread, ok: true, head: many - 1, ...NOTHING_UNANCHORED }
      }
    },
  })
  const verify = served(log)
  const [first, second] = await Promise.all([verify(), verify()])
  expect(first.body).toMatchObject({ ok: true, threads: 2, records: 2 * many, next: 2 })
  expect(second).toMatchObject({ status: 429, body: { code: 'busy' } })
  expect((await verify('?from=2')).body).toMatchObject({ ok: true, threads: 1, records: many })
  const unsound = logWith(log, {
    async *verifyAll() {
      for (;;)
        yield { thread: 't', ok: false, head: 0, firstBadSeq: 0, unanchored: 0, unanchoredFrom: [] }
    },
  })
  const bad = await served(unsound)()
  expect(bad.body).toMatchObject({ ok: false, threads: FINDINGS_MAX, next: FINDINGS_MAX })
})
