import { expect, onTestFinished, test } from 'vitest'
import type { CallerEvent } from '../activity/index.ts'
import type { EventLog } from '../log/index.ts'
import { call, readFrames, serveAgents } from './served-agents.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const KEY = { 'idempotency-key': 'k' }

const settled = ({ type, depth }: CallerEvent) =>
  depth === 0 && (type === 'turn_end' || type === 'wait_for_input')

async function served(log?: EventLog) {
  const office = await serveAgents(log ? { log } : {})
  onTestFinished(() => office.close())
  const thread = `${office.url}/api/threads/t`
  const ask = (agent: string, input: string) => call(`${thread}/runs`, { agent, input }, KEY)
  const resume = (run: string, values: object) =>
    call(`${thread}/runs/${run}/resume`, { values }, KEY)
  const ended = () => readFrames(`${thread}/events?view=agent`, settled)
  return { ...office, ask, resume, ended }
}

const codeOf = ({ status, body }: { status: number; body: Readonly<Record<string, unknown>> }) => [
  status,
  body['code'],
]

test('[S2] after a restart a key still belongs to the run that it asked for', async () => {
  const before = await served()
  const first = await before.ask('clerk', 'Case 7?')
  await before.ended()
  await before.close()
  const after = await served(before.log)
  const head = await after.log.head('t')
  expect(codeOf(await after.ask('clerk', 'Case 8?'))).toEqual([422, 'key_reused'])
  expect(codeOf(await after.ask('sleeper', 'Case 7?'))).toEqual([422, 'key_reused'])
  expect(await after.ask('clerk', 'Case 7?')).toEqual(first)
  expect(await after.ask('clerk', ' Case 7? ')).toEqual(first)
  expect(await after.log.head('t')).toBe(head)
})

test('[S2] a turn that failed runs again under its key, also without a restart, and then no more', async () => {
  const { ask, log } = await served()
  const ends = async () => {
    const records = await recordsOf(log)
    return records.filter(({ type }) => /^RUN_(ERROR|FINISHED)$/.test(type))
  }
  const first = await ask('newcomer', 'Case 7?')
  await expect.poll(async () => (await ends()).map(({ type }) => type)).toEqual(['RUN_ERROR'])
  expect(await ask('newcomer', 'Case 7?')).toEqual(first)
  const both = ['RUN_ERROR', 'RUN_FINISHED']
  await expect.poll(async () => (await ends()).map(({ type }) => type)).toEqual(both)
  expect(await ask('newcomer', 'Case 7?')).toEqual(first)
  expect((await ends()).map(({ origin }) => origin.turn)).toEqual(
    both.map(() => first.body['runId']),
  )
  expect(codeOf(await ask('newcomer', 'Case 8?'))).toEqual([422, 'key_reused'])
})

test('[S2] after a restart a key still belongs to the values of its resume', async () => {
  const before = await served()
  const asked = await before.ask('clerk', 'pay them')
  const run = String(asked.body['runId'])
  await before.ended()
  const first = await before.resume(run, { approved: false, reason: 'Too much' })
  expect(first.status).toBe(202)
  await before.ended()
  await before.close()
  const after = await served(before.log)
  const head = await after.log.head('t')
  for (const values of [
    { approved: true },
    { approved: true, reason: 'Too much' },
    { approved: false },
    { approved: false, reason: 'Too little' },
    { approved: false, reason: 'Too much', more: 1 },
    {},
  ]) {
    expect(codeOf(await after.resume(run, values)), JSON.stringify(values)).toEqual([
      422,
      'key_reused',
    ])
  }
  expect(await after.resume(run, { approved: false, reason: 'Too much' })).toEqual(first)
  expect(await after.log.head('t')).toBe(head)
})
