import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { App } from '../application/index.ts'
import { defineAgent } from '../agents/index.ts'
import { lamp } from '../domain/lamp.fixture.ts'
import type { LogRecord } from '../log/index.ts'
import { scriptedModel } from '../models/index.ts'
import { askTurn } from './ask-again.ts'
import { AskSummary } from './ask-summary.ts'
import { lampApp, lampLog, lampThread, lampWith } from './lamp-threads.fixture.ts'
import { turnsIn } from './turns-on-record.ts'

async function recorded() {
  const log = lampLog()
  const records = await lampThread(log)
  const app = lampApp() as unknown as App
  return { log, app, turns: turnsIn(app, records) }
}

const dimmer = () => lampApp(lamp as never, 35) as unknown as App

test('the same model proposes the same, and each turn gives its recorded prompt', async () => {
  const { log, app, turns } = await recorded()
  expect(turns.map(({ agent, input }) => [agent, input])).toEqual([
    ['electrician', 'More light'],
    ['electrician', 'It is dark'],
  ])
  for (const turn of turns) {
    expect(await askTurn(turn, { stored: log, app, times: 2 })).toMatchObject({
      status: 'asked',
      times: 2,
      equal: 2,
      lost: [],
      gained: [],
      faults: [],
    })
  }
  expect(await log.head('t')).toBe((await recorded()).turns[1]?.records.at(-1)?.seq)
})

test('another model is compared by its proposals, in shares', async () => {
  const { log, turns } = await recorded()
  const summary = new AskSummary(turns.length)
  const [turn] = turns
  expect(turn).toBeDefined()
  for (const each of turns)
    summary.take(await askTurn(each, { stored: log, app: dimmer(), times: 5 }))
  expect(summary).toMatchObject({ verdict: 'differs', answers: 10, equal: 5 })
  const [first = '', ...changes] = summary.lines()
  expect(first).toContain('electrician: 5 of 10 answers (50 %) equal, of 2 turns')
  // The lamp is broken in the second turn: whatever is proposed then is refused alike.
  expect(changes).toContain('- switch_on {"watts":30,"from":20}: in 5 of 10 answers (50 %)')
  expect(changes).toContain('+ switch_on {"watts":35,"from":20}: in 5 of 10 answers (50 %)')
})

test('lost and gained proposals show no personal data', async () => {
  const { log, turns } = await recorded()
  const [turn] = turns
  if (!turn) throw new Error('There is no turn')
  const personal = lampWith('switch_on', () => ({ personal: ['watts'] }))
  const app = lampApp(personal, 35) as unknown as App
  expect(await askTurn(turn, { stored: log, app, times: 1 })).toMatchObject({
    lost: [{ type: 'switch_on', data: { watts: '[redacted]' } }],
    gained: [{ type: 'switch_on', data: { watts: '[redacted]' } }],
  })
})

test('a turn whose recorded prompt is not reproduced does not count; with the old definition as base it does', async () => {
  const { log, app, turns } = await recorded()
  const [turn] = turns
  if (!turn) throw new Error('There is no turn')
  const worded = {
    ...app,
    agents: app.agents.map((agent) => ({ ...agent, instructions: () => 'Be brief.' })),
  }
  const options = { stored: log, app: worded, times: 1 }
  expect(await askTurn(turn, options)).toMatchObject({ status: 'other_prompt', times: 0 })
  expect(await askTurn(turn, { ...options, base: app })).toMatchObject({
    status: 'asked',
    equal: 1,
  })
  expect(await askTurn(turn, { ...options, base: worded })).toMatchObject({
    status: 'other_prompt',
  })
  const summary = new AskSummary(1)
  summary.take(await askTurn(turn, options))
  expect(summary.verdict).toBe('cannot_tell')
})

test('a turn that fails is no equal one', async () => {
  const { log, app, turns } = await recorded()
  const failing = scriptedModel(() => {
    throw new Error('no model today')
  })
  const agents = app.agents.map((agent) => ({ ...agent, model: failing }))
  const [turn] = turns
  if (!turn) throw new Error('There is no turn')
  const asked = await askTurn(turn, { stored: log, app: { ...app, agents }, base: app, times: 1 })
  expect(asked).toMatchObject({ equal: 0 })
  expect(asked.faults).toHaveLength(1)
})

test('turns that answer a question, and those of agents without a model here, are not asked', async () => {
  const file = readFileSync('test/order/golden/0.3-demonstration.jsonl', 'utf8')
  const lines = file.trim().split('\n')
  const records = lines.flatMap((line) => {
    const record = JSON.parse(line) as LogRecord
    return typeof record.seq === 'number' ? [record] : []
  })
  const stranger = defineAgent({ name: 'stranger', model: scriptedModel(() => 'Hello') })
  const app = { ...lampApp(), agents: [stranger] } as unknown as App
  expect(turnsIn(app, records)).toEqual([])
})
