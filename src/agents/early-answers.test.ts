import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../json/index.ts'
import { defineAgent } from './define/agent.ts'
import { till } from './pause.fixture.ts'
import { calling, replies, withAgents } from './runs.fixture.ts'
import { tool } from './define/tool.ts'

/** An agent on a surface that looks, until the test lets it go on, and then asks whether to pay. */
function office() {
  const looking = Promise.withResolvers<void>()
  const found = Promise.withResolvers<string>()
  const { paid, pay } = till()
  const look = tool({
    inputSchema: z.object({}),
    execute: () => {
      looking.resolve()
      return found.promise
    },
  })
  const payer = defineAgent<Json>({
    name: 'payer',
    surface: 'manager',
    model: replies(calling(['look', {}]), calling(['pay', { amount: 5 }]), 'Done.'),
    tools: { look, pay },
  })
  return { ...withAgents([payer]), looking: looking.promise, found, paid }
}

const approved = { values: { approved: true } }
const refused = { code: 'not_waiting' }

test('[X21] an approval that comes before its question is refused, and the tool does not run', async () => {
  const { ask, runs, looking, found, paid } = office()
  const turn = ask('Pay')
  await looking
  const early = runs.resume('t', { run: turn.run, ...approved }).result
  await expect(early).rejects.toMatchObject(refused)
  const answers = [
    { interruptId: 'guessed', status: 'resolved', payload: { approved: true } },
  ] as const
  const byId = runs.answer('t', { agent: 'payer', answers }).result
  await expect(byId).rejects.toMatchObject(refused)
  found.resolve('It is owed.')
  expect(await turn.result).toMatchObject({ reason: 'interrupt' })
  expect(paid).toEqual([])
})

test('[X21] an approval that waits in the queue does not answer a question that is asked meanwhile', async () => {
  const { paid, pay } = till()
  const [looking, found] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const look = tool({
    inputSchema: z.object({}),
    execute: () => {
      looking.resolve()
      return found.promise
    },
  })
  const asks = defineAgent<Json>({
    name: 'asks',
    surface: 'clerk',
    model: replies(calling(['pay', { amount: 2 }])),
    tools: { pay },
  })
  const looks = defineAgent<Json>({
    name: 'looks',
    surface: 'manager',
    model: replies(calling(['look', {}]), calling(['pay', { amount: 5 }])),
    tools: { look, pay },
  })
  const { ask, runs } = withAgents([asks, looks])
  await ask('Pay').result
  const turn = ask('Pay', 'looks')
  await looking.promise
  const early = runs.resume('t', { run: turn.run, ...approved }).result
  found.resolve('It is owed.')
  await expect(early).rejects.toMatchObject(refused)
  expect(await turn.result).toMatchObject({ reason: 'interrupt' })
  expect(paid).toEqual([])
})

test('[X21] a question is answered by its own surface alone, in the library too', async () => {
  const { ask, runs, found, paid } = office()
  found.resolve('It is owed.')
  const { run } = await ask('Pay').result
  const byClerk = runs.resume('t', { run, ...approved, surface: 'clerk' }).result
  await expect(byClerk).rejects.toMatchObject(refused)
  expect(paid).toEqual([])
  const byManager = runs.resume('t', { run, ...approved, surface: 'manager', key: 'k' })
  expect(await byManager.result).toMatchObject({ reason: 'success' })
  const again = runs.resume('t', { run, ...approved, surface: 'manager', key: 'k' })
  expect(await again.result).toMatchObject({ run: byManager.run, reason: 'success' })
  expect(paid).toEqual([5])
})
