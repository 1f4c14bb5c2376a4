import { expect, test } from 'vitest'
import type { Role } from '../application/index.ts'
import type { Operation } from '../domain/index.ts'
import { applyPatch } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { HISTORY_READS_PER_TOKEN_MAX } from './access/quotas.ts'
import { clinicApp } from './clinic.fixture.ts'
import type { Clinic } from './clinic.fixture.ts'
import { visit } from './clinic-visit.fixture.ts'
import { mounted } from './mounted-routes.fixture.ts'

const roles = {
  auditor: { read: 'redacted' },
  guest: { read: { state: ({ ward }) => ({ ward }) } },
} satisfies Record<string, Role<Clinic>>

interface Changes {
  readonly base: Json
  readonly changes: readonly { readonly seq: number; readonly ops: readonly Operation[] }[]
  readonly next?: number
}

async function started() {
  const { throughline, ask } = await mounted({}, clinicApp(roles))
  const head = await visit(throughline)
  const as = (role: string) => async (path: string) => {
    const answer = await ask(`/api/threads/t/${path}`, { role, actor: 'ann' })
    return { ...answer, body: answer.body as unknown }
  }
  return { throughline, head, as }
}

test.each(['desk', 'auditor', 'guest', 'operator'])(
  'the changes lead %s from its state at any record to its state at any later one',
  async (role) => {
    const { head, as } = await started()
    const ask = as(role)
    const states = new Map<number, unknown>()
    for (let seq = 0; seq <= head; seq++) {
      const { body } = await ask(`state?at=${seq}`)
      states.set(seq, (body as { state: Json }).state)
    }
    for (const from of [0, 1, head - 3, head]) {
      const { base, changes } = (await ask(`changes?from=${from}`)).body as Changes
      const bySeq = new Map(changes.map(({ seq, ops }) => [seq, ops]))
      let state = base
      for (let seq = from; seq <= head; seq++) {
        state = applyPatch(state, bySeq.get(seq) ?? [])
        expect(state, `${from} to ${seq}`).toEqual(states.get(seq))
      }
    }
  },
)

test('changes come in pages, the last one without a next', async () => {
  const { head, as } = await started()
  const ask = as('desk')
  const whole = (await ask('changes')).body as Changes
  expect(whole).not.toHaveProperty('next')
  const paged: Changes['changes'][number][] = []
  for (let next: number | undefined = 0; next !== undefined;) {
    const page: Changes = (await ask(`changes?from=${next}&limit=2`)).body as Changes
    paged.push(...page.changes)
    next = page.next
  }
  expect(paged).toEqual(whole.changes)
  expect((await ask(`changes?from=${head + 1}`)).body).toMatchObject({ changes: [] })
})

test('why names each record that set a value, oldest first, up to a record', async () => {
  const { as } = await started()
  const ask = as('desk')
  const { body } = await ask('why?path=/ward')
  const { reasons } = body as { reasons: { seq: number; record: { type: string } }[] }
  expect(reasons.map(({ record }) => record.type).slice(0, 2)).toEqual(['admitted', 'moved'])
  const [first] = reasons
  expect((await ask(`why?path=/ward&at=${first?.seq}`)).body).toMatchObject({ reasons: [first] })
  expect((await ask('why?path=/nowhere')).body).toMatchObject({ reasons: [] })
})

test('a record that the role may not see is a reason without its record', async () => {
  const { as } = await started()
  const { body } = await as('guest')('why?path=/ward')
  const { reasons } = body as { reasons: object[] }
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).not.toHaveProperty('record')
})

test('what is no position and no pointer is refused', async () => {
  const { head, as } = await started()
  const refused = [
    'changes?from=-1',
    `changes?from=${head + 2}`,
    'changes?limit=0',
    'why?path=ward',
  ]
  for (const path of [...refused, 'why?path=/a~2', `why?at=${head + 1}`]) {
    expect(await as('desk')(path), path).toMatchObject({
      status: 400,
      body: { code: 'invalid_query' },
    })
  }
})

test('reads of changes and reasons have a quota of their own', async () => {
  const { as } = await started()
  const ask = as('desk')
  const reads = Array.from({ length: HISTORY_READS_PER_TOKEN_MAX + 1 }, () => ask('changes'))
  const answers = await Promise.all([...reads, ask('state?at=0'), ask('why')])
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(HISTORY_READS_PER_TOKEN_MAX + 1)
  expect(statuses[HISTORY_READS_PER_TOKEN_MAX + 1]).toBe(200)
})
