import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ScriptedAnswer } from '../models/scripted-model.ts'
import { scriptedModel, tool } from '../public/index.ts'
import {
  EMPTY_RUN_TREE,
  completeTexts,
  findRun,
  foldRunTree,
  itemsAtDepth,
  latestRun,
} from './index.ts'
import type { RunTree, Wait } from './index.ts'
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

const AN_HOUR_MS = 3_600_000

function fourDeep() {
  const d = agent('d', {})
  const c = agent('c', { agents: [d], model: replies(calls('call_d'), 'c is back') })
  const b = agent('b', { agents: [c], model: replies(calls('call_c'), 'b is back') })
  return agent('a', {
    agents: [b],
    model: replies({ reasoning: 'Whom?', text: 'A moment', ...calls('call_b') }, 'a is back'),
  })
}

test('[C011] [C016] [C022] the tree holds every run where it was called, to depth 3', async () => {
  const { ask, events } = await asked(fourDeep())
  await ask()
  const tree = treeOf(await events())
  expect(outlines(tree)).toEqual([[['a/0 done', ['b/1 done', ['c/2 done', 'd/3 done']]]]])
  expect(tree.depthMax).toBe(3)
  const top = latestRun(tree)
  const below = [top, firstBelow(top), firstBelow(firstBelow(top))]
  for (const run of below) expect(findRun(tree, run?.run ?? '')).toBe(run)
  expect(findRun(tree, 'no such run')).toBeUndefined()
  expect(kinds(top)).toEqual(['reasoning', 'text', 'tool', 'text'])
  expect(top?.prompt).toBe('Go')
  expect(toolsIn(top)).toMatchObject([
    { name: 'call_b', key: 'call_b-1', state: { status: 'done', result: 'b is back' } },
  ])
})

test('[C012] [C013] the level of detail is a depth: at 0 only what the top agent said', async () => {
  const { ask, events } = await asked(fourDeep())
  await ask()
  const [turn] = treeOf(await events()).turns
  const said = (depth: number) => turn && completeTexts(turn, depth).map(({ text }) => text)
  expect(said(0)).toEqual(['A moment', 'a is back'])
  expect(said(1)).toEqual(['A moment', 'b is back', 'a is back'])
  expect(said(3)).toEqual(['A moment', 'I am d', 'c is back', 'b is back', 'a is back'])
  const top = turn?.runs[0]
  expect(top && itemsAtDepth(top, 0).map(({ kind }) => kind)).toEqual(['text', 'text'])
  expect(top && itemsAtDepth(top, 1)).toBe(top?.items)
})

test('[C020] a caller that leaves out deeper runs has the same tree without them', async () => {
  const { ask, events } = await asked(fourDeep())
  await ask()
  const all = await events()
  const shallow = treeOf(all.filter(({ depth }) => depth <= 1))
  expect(outlines(shallow)).toEqual([[['a/0 done', 'b/1 done']]])
  const b = latestRun(shallow)
  expect(toolsIn(b)[0]?.runs.map(textsIn)).toEqual([['complete: b is back']])
})

test('[C021] the tree grows with every event, and what did not change stays the same object', async () => {
  const { ask, events } = await asked(fourDeep())
  await ask('One')
  await ask('Two')
  let tree = EMPTY_RUN_TREE
  const statuses = new Set<string>()
  for (const event of await events()) {
    const before = tree
    tree = foldRunTree(tree, [event])
    if (tree.turns.length === 2 && before.turns.length === 2)
      expect(tree.turns[0]).toBe(before.turns[0])
    const top = latestRun(tree)
    for (const text of textsIn(top)) statuses.add(text)
    // Nothing more comes of a message once its model has called a tool.
    if (kinds(top)?.includes('tool')) expect(textsIn(top)[0]).toBe('complete: A moment')
  }
  expect([...statuses]).toContain('streaming: A moment')
  expect([...statuses]).toContain('complete: A moment')
})

test('[C024] [C026] a hand-off is next to the run that handed over, at the same depth', async () => {
  const e = agent('e', {})
  const d = agent('d', { handoffs: [e], model: replies(calls('handoff_to_e')) })
  const b = agent('b', { agents: [d], model: replies(calls('call_d'), 'b has it') })
  const a = agent('a', {
    handoffs: [b],
    model: replies({ text: 'Ask b', ...calls('handoff_to_b') }),
  })
  const { ask, events } = await asked(a)
  await ask()
  const tree = treeOf(await events())
  expect(outlines(tree)).toEqual([['a/0 done', ['b/0 done', 'd/1 done', 'e/1 done']]])
  const first = tree.turns[0]?.runs[0]
  expect(first?.items.at(-1)).toMatchObject({ kind: 'handoff', to: 'b' })
  expect(latestRun(tree)?.agent).toBe('b')
})

function payer() {
  const pay = tool({
    inputSchema: z.object({ pounds: z.number() }),
    needsApproval: true,
    execute: ({ pounds }) => `Paid ${pounds}`,
  })
  const clerk = agent('clerk', {
    tools: { pay },
    model: replies({ text: 'May I?', ...calls('pay', { pounds: 5 }) }, 'It is paid'),
  })
  return agent('boss', { agents: [clerk], model: replies(calls('call_clerk'), 'All done') })
}

const waitsOf = (tree: RunTree): readonly Wait[] => {
  const state = latestRun(tree)?.state
  return state?.status === 'waiting' ? state.waits : []
}

test('a run that asks waits with its callers, and goes on in its place once it is answered', async () => {
  const { app, ask, events } = await asked(payer())
  await ask()
  const waiting = treeOf(await events())
  expect(outlines(waiting)).toEqual([[['boss/0 waiting', 'clerk/1 waiting']]])
  const [wait] = waitsOf(waiting)
  expect(wait).toMatchObject({ reason: 'tool_approval', toolName: 'pay', agent: 'clerk' })
  const boss = latestRun(waiting)
  const clerk = firstBelow(boss)
  const asking = [boss, clerk].flatMap(toolsIn).map(({ state }) => state.status)
  expect(asking).toEqual(['waiting', 'waiting'])

  const values = { approved: true, reason: 'Go on' }
  await app.resume('t', { run: boss?.run ?? '', values: { [wait?.id ?? '']: values } }).result
  const done = treeOf(await events())
  expect(outlines(done)).toEqual([[['boss/0 done', 'clerk/1 done']]])
  const top = latestRun(done)
  expect(top?.key).toBe(boss?.run)
  expect(top?.run).not.toBe(boss?.run)
  expect(top?.items).toContainEqual(
    expect.objectContaining({ kind: 'answered', answers: [{ wait, values }] }),
  )
  const below = firstBelow(top)
  expect(toolsIn(below)[0]?.state).toEqual({ status: 'done', result: 'Paid 5' })
  expect(textsIn(below)).toEqual(['complete: May I?', 'complete: It is paid'])
})

test('a turn keeps every id that it has had', async () => {
  const { app, ask, events } = await asked(payer())
  const asking = await ask()
  const answered = await app.resume('t', { run: asking.run, values: { approved: true } }).result
  const [turn] = treeOf(await events()).turns
  expect(turn?.ids).toEqual([asking.run, answered.run])
})

test('waiting for a person is not counted as work', async () => {
  const { app, ask, events } = await asked(payer())
  await ask()
  const before = (await events()).length
  const { run = '' } = latestRun(treeOf(await events())) ?? {}
  await app.resume('t', { run, values: { approved: true } }).result
  const later = (await events()).map((event, at) =>
    at < before ? event : { ...event, ts: event.ts + AN_HOUR_MS },
  )
  expect(latestRun(treeOf(later))?.workedMs).toBeLessThan(AN_HOUR_MS)
})

test('a question that is given up stops all that waited', async () => {
  const { app, ask, events } = await asked(payer())
  await ask()
  await app.cancel('t')
  const tree = treeOf(await events())
  expect(outlines(tree)).toEqual([[['boss/0 stopped', 'clerk/1 stopped']]])
  const boss = latestRun(tree)
  const given = boss?.items.find(({ kind }) => kind === 'answered')
  expect(given).toMatchObject({ answers: [{ values: null }] })
  expect(toolsIn(boss)[0]?.state).toEqual({ status: 'stopped' })
})

test('a reader that joins in the middle has what comes, without a fault', async () => {
  const { ask, events } = await asked(fourDeep())
  await ask()
  const all = await events()
  for (let from = 0; from < all.length; from++) {
    const tree = treeOf(all.slice(from))
    expect(tree.turns.length).toBeLessThanOrEqual(1)
    expect(latestRun(tree)).toBeDefined()
  }
})

test('[C008] a run has the usage of its own model calls, failed ones included', async () => {
  const fail = new Error('overloaded')
  const b = agent('b', { model: replies({ text: 'Well', fail }, 'I am b') })
  const { ask, events } = await asked(
    agent('a', { agents: [b], model: replies(calls('call_b'), 'Done') }),
  )
  const { usage } = await ask()
  const top = latestRun(treeOf(await events()))
  expect(top?.usage).toEqual(usage.byAgent['a'])
  const { unreportedTokens, ...known } = usage.byAgent['b'] ?? {}
  expect(unreportedTokens).toBeGreaterThan(0)
  expect(firstBelow(top)?.usage).toEqual(known)
  expect(firstBelow(top)?.usage).toMatchObject({ calls: 2, unreported: 1 })
})

test('two calls of one agent at once are two runs', async () => {
  const both: ScriptedAnswer = {
    toolCalls: ['x', 'y'].map((id) => ({ name: 'call_b', input: { message: id }, id })),
  }
  const b = agent('b', { model: scriptedModel(({ messages }) => `b: ${messages.at(-1)?.text}`) })
  const { ask, events } = await asked(agent('a', { agents: [b], model: replies(both, 'Both') }))
  await ask()
  const top = latestRun(treeOf(await events()))
  expect(toolsIn(top).map(({ key, runs }) => [key, ...runs.map(textsIn)])).toEqual([
    ['x', ['complete: b: x']],
    ['y', ['complete: b: y']],
  ])
})

test('a reader who sees events of the domain alone sees no run at work', async () => {
  const { ask, events } = await asked(agent('a', { model: replies('Done') }))
  await ask('Go')
  const [started] = await events()
  if (!started) throw new Error('The turn shows nothing')
  const paid = { ...started, type: 'event', name: 'paid', data: {} } as const
  const seen = foldRunTree(EMPTY_RUN_TREE, [paid])
  expect(latestRun(seen)?.state).toEqual({ status: 'done' })
  // Whoever sees the run begin behind its first event sees it at work.
  expect(latestRun(foldRunTree(seen, [started]))?.state.status).toBe('working')
})
