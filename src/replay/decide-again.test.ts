import { expect, test } from 'vitest'
import { z } from 'zod'
import { lamp } from '../domain/lamp.fixture.ts'
import type { Lamp } from '../domain/lamp.fixture.ts'
import type { LogRecord } from '../log/index.ts'
import { decideAgain, ofDomain } from './index.ts'
import type { Definition } from './index.ts'
import { lampApp, lampThread, lampWith } from './lamp-threads.fixture.ts'

const again = (
  app: unknown,
  records: readonly LogRecord[],
  options: Partial<Parameters<typeof decideAgain>[2]> = {},
) => decideAgain(app as Definition, records, { level: 2, ...options })

const withoutMarks = (records: readonly LogRecord[]): readonly LogRecord[] => {
  let ts = 0
  return records.map(({ origin: { commit, ...origin }, ...record }) => {
    // Commits of old logs are told apart by their times.
    if (commit || record.type === 'RUN_STARTED') ts++
    return { ...record, origin, ts }
  })
}

test('the definition that made a thread decides all of it again as it is on record', async () => {
  const records = await lampThread()
  expect(records.map(({ type }) => type)).toContain('replace')
  const report = again(lampApp(), records)
  expect(report).toMatchObject({ verdict: 'equal', differences: [], undecided: [] })
  expect(report.decided).toBe(9)
})

test('each change of a definition that decides otherwise is found, at the first record where it does', async () => {
  const records = await lampThread()
  const first = (domain: ReturnType<typeof lampWith>) =>
    again(lampApp(domain), records).differences[0]
  const seqOf = (type: string, nth = 0) => records.filter((each) => each.type === type)[nth]?.seq
  const guarded = lampWith('switch_on', () => ({
    guard: (_: Lamp, { watts }: { watts: number }) =>
      watts === 90 ? { refused: 'precondition', detail: 'too bright' } : undefined,
  }))
  expect(first(guarded)).toMatchObject({
    kind: 'refused_now',
    seq: seqOf('switch_on', 3),
    by: 'ui on wall',
    now: 'precondition: too bright',
  })
  const open = lampWith('switch_on', () => ({ guard: undefined }))
  expect(first(open)).toMatchObject({ kind: 'accepted_now', was: 'locked', type: 'switch_on' })
  const narrow = lampWith('switch_on', ({ schema }: { schema: z.ZodType }) => ({
    schema: schema.refine((data) => (data as { watts: number }).watts !== 30),
  }))
  expect(first(narrow)).toMatchObject({ kind: 'refused_now', by: 'agent electrician' })
  const completed = lampWith('switch_on', () => ({
    complete: ({ watts }: { watts: number }) => ({ watts, from: 7 }),
  }))
  expect(again(lampApp(completed), records).differences[0]).toMatchObject({ kind: 'other_result' })
  const reduced = lampWith('switch_on', () => ({
    reduce: (state: Lamp, { watts }: { watts: number }) => ({ ...state, watts }),
  }))
  expect(first(reduced)).toMatchObject({ kind: 'rule_gone', type: 'report', by: 'rule R1' })
  expect(first(lampWith('report', () => undefined))).toMatchObject({
    kind: 'type_gone',
    type: 'report',
    seq: seqOf('report'),
  })
  const eager = { ...lamp, rules: lamp.rules.map(({ submits: _, ...rule }) => rule) }
  expect(first(eager as never)).toMatchObject({ kind: 'rule_added', type: 'replace' })
  const idle = { ...lamp, rules: lamp.rules.filter(({ name }) => name !== 'R2') }
  expect(first(idle as never)).toMatchObject({ kind: 'rule_gone', type: 'replace' })
})

test('an agent that may not propose an event any more is refused', async () => {
  const records = await lampThread()
  const app = lampApp()
  const mute = app.agents.map((agent) => ({ ...agent, emits: [] }))
  expect(again({ ...app, agents: mute }, records).differences[0]).toMatchObject({
    kind: 'refused_now',
    now: expect.stringContaining('may not propose "switch_on"') as string,
  })
})

test('a thread from before the marks of commits is decided again by times and places', async () => {
  const records = await lampThread()
  const marked = records.flatMap(({ origin }) => origin.commit ?? [])
  expect(marked.length).toBeGreaterThan(3)
  const old = withoutMarks(records)
  expect(again(lampApp(), old)).toMatchObject({ verdict: 'equal', decided: 9 })
})

test('level 1 compares the states of two definitions, and names the record after which they differ', async () => {
  const records = await lampThread()
  const bright = lampWith('switch_on', () => ({
    reduce: (state: Lamp, { watts }: { watts: number }) => ({ ...state, watts: watts + 1 }),
  }))
  const base = lampApp() as unknown as Definition
  expect(again(lampApp(bright), records, { level: 1, base })).toMatchObject({
    verdict: 'differs',
    decided: 0,
    differences: [
      { kind: 'other_state', seq: records.find((each) => each.type === 'switch_on')?.seq },
    ],
  })
  expect(again(lampApp(), records, { level: 1, base }).verdict).toBe('equal')
})

test('completed data does not count as the input, unless the base completes it to the same data', async () => {
  const records = await lampThread()
  const shown = records.filter(({ origin }) => origin.source === 'ui')
  expect(shown.length).toBeGreaterThan(0)
  const completed = lampWith('switch_on', () => ({
    complete: ({ watts }: { watts: number }) => ({ watts, from: 7 }),
  }))
  const clicks = again(lampApp(completed), records.slice(0, 1))
  expect(clicks).toMatchObject({ verdict: 'cannot_tell', undecided: [{ type: 'switch_on' }] })
  const base = lampApp() as unknown as Definition
  const based = again(lampApp(completed), records.slice(0, 1), { base })
  expect(based.differences[0]).toMatchObject({ kind: 'other_result', now: { from: 7 } })
})

test('erased and redacted threads are not compared', async () => {
  const records = await lampThread()
  const [first] = records
  const erased = { ...first, type: 'thread_erased', seq: records.length } as LogRecord
  expect(again(lampApp(), [...records, erased])).toMatchObject({ verdict: 'skipped' })
  const redacted = records.map((record) => ({ ...record, data: '[redacted]' }))
  expect(again(lampApp(), redacted)).toMatchObject({
    verdict: 'cannot_tell',
    why: expect.stringContaining('redacted') as string,
  })
})

test('a report shows nothing of what a type declares as personal', async () => {
  const records = await lampThread()
  const personal = lampWith('switch_on', () => ({
    personal: ['watts'],
    guard: (_: Lamp, { watts }: { watts: number }) => ({
      refused: 'precondition',
      detail: `not ${watts} watts`,
    }),
  }))
  const { differences } = again(lampApp(personal), records)
  expect(differences[0]).toMatchObject({ was: { watts: '[redacted]' }, now: 'precondition' })
  expect(JSON.stringify(differences)).not.toContain('watts watts')
})

test('a domain alone is enough: what its agents may propose is then taken as given', async () => {
  const records = await lampThread()
  const report = again(ofDomain(lamp as never), records)
  expect(report).toMatchObject({ verdict: 'equal' })
})
