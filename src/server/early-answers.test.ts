import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, tool } from '../agents/index.ts'
import { defineApp } from '../application/index.ts'
import { scriptedModel } from '../models/index.ts'
import { mounted } from './mounted-routes.fixture.ts'

test('[X21] a clerk approves nothing while a run on the manager’s surface works', async () => {
  const [looking, found] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const paid: string[] = []
  const look = tool({
    inputSchema: z.object({}),
    execute: () => {
      looking.resolve()
      return found.promise
    },
  })
  const pay = tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: () => `paid ${paid.push('once')}`,
  })
  const calls = ['look', 'pay']
  const payer = defineAgent({
    name: 'payer',
    surface: 'manager',
    model: scriptedModel(({ index }) => {
      const name = calls[index]
      return name === undefined ? 'Done.' : { toolCalls: [{ name, input: {} }] }
    }),
    tools: { look, pay },
  })
  const person = { read: 'all', run: 'all', begin: true, answer: true } as const
  const app = defineApp({
    name: 'office',
    agents: [payer],
    roles: { clerk: person, manager: person },
  })
  const { ask, throughline } = await mounted({}, app)
  const started = await ask(
    '/api/threads/t/runs',
    { role: 'manager' },
    { agent: 'payer', input: 'Pay' },
  )
  await looking.promise
  const resume = `/api/threads/t/runs/${String(started.body['runId'])}/resume`
  const values = { values: { approved: true } }
  const early = await ask(resume, { role: 'clerk' }, values)
  expect(early).toMatchObject({ status: 409, body: { code: 'not_waiting' } })
  found.resolve('It is owed.')
  const waits = async () => (await throughline.app(app).gate.snapshot('t')).pauses.waiting
  await expect.poll(waits).toHaveLength(1)
  const late = await ask(resume, { role: 'clerk' }, values)
  expect(late).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(paid).toEqual([])
  expect(await ask(resume, { role: 'manager' }, values)).toMatchObject({ status: 202 })
  await expect.poll(() => paid).toEqual(['once'])
})
