import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAgent, defineDomain, scriptedModel, tool } from '../public/index.ts'
import { OUTPUTS_KEPT_MAX, latestRun } from './index.ts'
import {
  agent,
  asked,
  calls,
  firstBelow,
  kinds,
  outlines,
  replies,
  textsIn,
  toolsIn,
  treeOf,
} from './run-tree.fixture.ts'

test('a run that is stopped keeps its text, and nothing goes on below it', async () => {
  const slow = scriptedModel(() => 'One two three four five', { chunkLength: 4, chunkDelayMs: 30 })
  const b = agent('b', { model: slow })
  const { app, ask, events } = await asked(
    agent('a', { agents: [b], model: replies(calls('call_b')) }),
  )
  const turn = ask()
  const stop = async (): Promise<void> => {
    for await (const records of app.subscribe('t')) {
      if (records.some(({ type, origin }) => type === 'TEXT_MESSAGE_CONTENT' && origin.depth > 0))
        break
    }
    await app.cancel('t')
  }
  await Promise.all([turn, stop()])
  const tree = treeOf(await events())
  expect(outlines(tree)).toEqual([[['a/0 stopped', 'b/1 stopped']]])
  const top = latestRun(tree)
  const b1 = firstBelow(top)
  expect(toolsIn(top)[0]?.state).toEqual({ status: 'stopped' })
  expect(textsIn(b1)).toEqual([expect.stringMatching(/^stopped: One/)])
})

test('an attempt that failed is marked, and so is its text; the next one has its own', async () => {
  const fail = new Error('overloaded')
  const { ask, events } = await asked(
    agent('a', { model: replies({ text: 'I was going to', fail }, 'All is well') }),
  )
  await ask()
  const top = latestRun(treeOf(await events()))
  expect(textsIn(top)).toEqual(['failed: I was going to', 'complete: All is well'])
  expect(top?.items[1]).toMatchObject({
    kind: 'failed_attempt',
    attempt: 1,
    reason: 'provider',
  })
})

test('a run whose last attempt failed too has failed, with the reason', async () => {
  const fail = Object.assign(new Error('no such key'), { isRetryable: false })
  const { ask, events } = await asked(agent('a', { model: replies({ text: 'Well', fail }) }))
  await ask()
  const top = latestRun(treeOf(await events()))
  expect(top?.state).toMatchObject({ status: 'failed', error: { code: 'provider' } })
  expect(textsIn(top)).toEqual(['failed: Well'])
})

test('a run that reaches a limit is stopped by it', async () => {
  const loop = agent('a', { model: replies(calls('nowhere')), limits: { steps: 1 } })
  const { ask, events } = await asked(loop)
  await ask()
  const top = latestRun(treeOf(await events()))
  expect(top?.state).toMatchObject({ status: 'stopped', error: { code: 'limit_steps' } })
  expect(toolsIn(top)).toMatchObject([{ state: { status: 'failed', code: 'unknown_tool' } }])
})

test('[C003] [C004] a tool keeps its latest outputs, and counts those that it dropped', async () => {
  const count = tool({
    inputSchema: z.object({}),
    execute: (_input, { progress }) => {
      for (let line = 0; line < OUTPUTS_KEPT_MAX + 3; line++) progress(`line ${line}`)
      return { lines: OUTPUTS_KEPT_MAX + 3 }
    },
  })
  const { ask, events } = await asked(
    agent('a', { tools: { count }, model: replies(calls('count', {}), 'Counted') }),
  )
  await ask()
  const top = latestRun(treeOf(await events()))
  const [counted] = toolsIn(top)
  expect(counted).toMatchObject({ outputsDropped: 3, state: { result: { lines: 103 } } })
  expect(counted?.outputs).toHaveLength(OUTPUTS_KEPT_MAX)
  expect(counted?.outputs[0]).toBe('line 3')
})

test('events of a domain and refused ones are in the run; those between runs follow it', async () => {
  const { event, domain } = defineDomain<{ lit: boolean }>()
  const lamp = domain({
    name: 'lamp',
    initial: { lit: false },
    events: {
      switch_on: event({
        schema: z.strictObject({}),
        by: [{ source: 'ui' }, { source: 'model' }],
        reduce: () => ({ lit: true }),
      }),
    },
  })
  const text = `Done <agent-event type="switch_on" data='{}' /><agent-event type="fly" data='{}' />`
  const a = defineAgent<{ lit: boolean }>({ name: 'a', model: replies(text), emits: ['switch_on'] })
  const { app, ask, events } = await asked(a, lamp)
  await app.propose('t', [{ type: 'switch_on', data: {} }])
  await ask('Light')
  await app.propose('t', [{ type: 'switch_on', data: {} }])
  const top = latestRun(treeOf(await events()))
  expect(kinds(top)).toEqual(['text', 'event', 'refused', 'event'])
  expect(top?.items[2]).toMatchObject({ name: 'fly', reason: 'not_authorised' })
})

test('a record says that agents forget, and the tree keeps the texts', async () => {
  const { app, ask, events } = await asked(agent('a', {}))
  await ask('One')
  await app.reset('t')
  await ask('Two')
  const [one, two] = treeOf(await events()).turns
  expect(kinds(one?.runs[0])).toEqual(['text', 'history_reset'])
  expect(two?.runs[0]?.prompt).toBe('Two')
})
