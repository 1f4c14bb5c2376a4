import { expect, onTestFinished, test } from 'vitest'
import { REVEAL_MAX_MS, Throughline } from '../application/index.ts'
import type { Role } from '../application/index.ts'
import { sha256, uuidv7 } from '../storage/index.ts'
import { allReads, foundIn } from './all-reads.fixture.ts'
import type { Ask } from './all-reads.fixture.ts'
import { PLANTED, clinicApp } from './clinic.fixture.ts'
import type { Clinic } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import { routes } from './index.ts'
import { byHeader, quiet } from './mounted-routes.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const reveals = { propose: ['file_opened'], run: 'all', reveal: 'file_opened' } as const
const roles = {
  auditor: { ...reveals, read: 'redacted' },
  matron: { ...reveals, read: { state: ({ ward }) => ({ ward }), record: 'redacted' } },
  porter: { read: { state: ({ ward }) => ({ ward }) } },
} satisfies Record<string, Role<Clinic>>

/** Two servers over one log, and a clock that the test moves. */
async function started() {
  let time = Date.now()
  const now = () => time
  const log = memoryLog({ now })
  const serve = async () => {
    const sources = { now, id: uuidv7, sha256 }
    const throughline = await Throughline.start({ log, apps: [clinicApp(roles)], ...sources })
    onTestFinished(() => throughline.close())
    return { throughline, ...routes(throughline, { authenticate: byHeader, ...quiet }) }
  }
  const [one, other] = [await serve(), await serve()]
  const head = await visit(one.throughline)
  await one.throughline.propose('u', [{ type: 'moved', data: { ward: 'west' } }])
  const asker =
    (server: typeof one, who: object): Ask =>
    async (path, asked = {}) =>
      server.fetch(
        new Request(`http://any.example${path}`, {
          ...asked,
          headers: { ...asked.headers, caller: JSON.stringify(who) },
        }),
      )
  const reveal = async (who: object, thread = 't') => {
    const response = await asker(one, who)(`/api/threads/${thread}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events: [{ type: 'file_opened', data: { reason: 'a complaint' } }] }),
    })
    return ((await response.json()) as { readonly head: number }).head
  }
  const pass = (ms: number) => (time += ms)
  return { log, one, other, head, asker, reveal, pass }
}

const ann = { role: 'auditor', actor: 'ann' }

test('a reveal on record shows all routes to who has revealed, on every server', async () => {
  const { one, other, head, asker, reveal } = await started()
  const read = { thread: 't', head, agents: ['nurse'] }
  expect(foundIn(await allReads(asker(one, ann), read), PLANTED)).toEqual([])
  const seq = await reveal(ann)
  const shown = { ...read, head: seq, query: `reveal=${seq}` }
  const all = await allReads(asker(one, { role: 'desk', actor: 'kim' }), { ...read, head: seq })
  for (const server of [one, other]) {
    const answers = await allReads(asker(server, ann), shown)
    expect([...answers.values()].filter((text) => !text.startsWith('200 '))).toEqual([])
    expect(foundIn(answers, PLANTED)).toEqual(foundIn(all, PLANTED))
  }
  expect(foundIn(await allReads(asker(other, ann), { ...read, head: seq }), PLANTED)).toEqual([])
})

test('a reveal shows the state as the role sees it', async () => {
  const { one, asker, reveal } = await started()
  const matron = { role: 'matron', actor: 'mo' }
  const refused = await reveal(matron)
  const at = `/api/threads/t/state?reveal=${refused}`
  // Its surface may not propose the event: what is on record is a refusal.
  expect((await asker(one, matron)(at)).status).toBe(403)
  const seq = await reveal({ ...matron, surface: 'auditor' })
  const answer = await asker(one, { ...matron, surface: 'auditor' })(
    `/api/threads/t/state?reveal=${seq}`,
  )
  expect(await answer.json()).toMatchObject({ state: { ward: 'east' } })
})

test('[X28] a request that names no reveal of its sender that still holds is refused, with the mend', async ({
  annotate,
}) => {
  const { one, asker, reveal, pass } = await started()
  const other = await reveal(ann, 'u')
  const seq = await reveal(ann)
  const kims = await reveal({ role: 'auditor', actor: 'kim' })
  const nobodys = await reveal({ role: 'auditor' })
  const desks = await reveal({ role: 'desk', actor: 'ann' })
  const statusOf = async (who: object, named: string) => {
    const response = await asker(one, who)(`/api/threads/t/state?${named}`)
    return [response.status, ((await response.json()) as { code?: string }).code]
  }
  const no = [403, 'not_revealed']
  const wrong = [
    `reveal=${other + 1_000}`,
    `reveal=${kims}`,
    `reveal=${nobodys}`,
    `reveal=${desks}`,
    'reveal=0',
    'reveal=-1',
    'reveal=',
    'reveal=soon',
    'reveal=99999999999999999999',
    `reveal=${seq}&reveal=${seq}`,
  ]
  let taken = 0
  for (const named of wrong) {
    const answer = await statusOf(ann, named)
    if (answer[0] === 200) taken++
    expect([named, ...answer]).toEqual([named, ...no])
  }
  await annotate(`${taken} of ${wrong.length} reveals taken that are not the sender’s`, 'promise')
  expect(await statusOf({ role: 'auditor' }, `reveal=${nobodys}`)).toEqual(no)
  expect(await statusOf({ role: 'porter', actor: 'ann' }, `reveal=${seq}`)).toEqual(no)
  expect(await statusOf({ role: 'operator', actor: 'ann' }, `reveal=${seq}`)).toEqual(no)
  expect(await statusOf(ann, `reveal=${seq}`)).toEqual([200, undefined])
  const ofOther = await asker(one, ann)(`/api/threads/u/state?reveal=${seq}`)
  expect(ofOther.status).toBe(403)
  pass(REVEAL_MAX_MS - 1)
  expect(await statusOf(ann, `reveal=${seq}`)).toEqual([200, undefined])
  pass(1)
  expect(await statusOf(ann, `reveal=${seq}`)).toEqual(no)
  const detailFor = async (who: object) => {
    const response = await asker(one, who)(`/api/threads/t/export?reveal=${seq}`)
    return ((await response.json()) as { readonly detail: string }).detail
  }
  expect(await detailFor(ann)).toBe(
    'Cannot use reveal: it names no reveal of yours in this thread that still holds; ' +
      'propose "file_opened" and name the `seq` of its record, or leave `reveal` out',
  )
  expect(await detailFor({ role: 'auditor' })).toContain('the request names no person; sign in')
  expect(await detailFor({ role: 'porter', actor: 'ann' })).toContain(
    '"porter" of "clinic" reveals',
  )
})

test('a record of a clock that runs far ahead reveals nothing', async () => {
  const { one, asker, reveal, pass } = await started()
  pass(3_600_000)
  const seq = await reveal(ann)
  pass(-3_600_000)
  expect((await asker(one, ann)(`/api/threads/t/state?reveal=${seq}`)).status).toBe(403)
})

test('a stream that shows what was revealed ends with the reveal', async () => {
  const { one, asker, reveal, pass } = await started()
  const seq = await reveal(ann)
  pass(REVEAL_MAX_MS - 200)
  const accept = { accept: 'text/event-stream' }
  const stream = await asker(one, ann)(`/api/threads/t/events?reveal=${seq}`, { headers: accept })
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream.body ?? []) text += decoder.decode(bytes, { stream: true })
  expect(text).toContain(PLANTED.name)
})
