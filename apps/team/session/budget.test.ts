import { membersOf } from 'throughline'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import type { TeamOptions } from '../team.fixture.ts'
import { begun, started } from './started-team.fixture.ts'

/** Each turn costs $0.01 and 8 tokens, the greeting too. */
const REAL = { model: 'default' }

type Started = Awaited<ReturnType<typeof started>>

const namedIn = async (team: Started, type: string) => {
  const all: Record<string, unknown>[] = []
  for await (const records of team.log.read('team')) {
    all.push(...records.flatMap((each) => (each.type === type ? [membersOf(each.data)] : [])))
  }
  return all
}

const send = (team: Started, message: string) => team.post('/api/send', { message })

/** With a session of this budget that has greeted. */
async function spending(budget: object, options: Partial<TeamOptions> = {}) {
  const team = await started({ ...REAL, ...options })
  await team.post('/api/session/start', { budget })
  await team.has('claude_result')
  return team
}

test('[S20] a budget says once that 80 % are spent, and once that all is; then messages wait', async () => {
  const team = await spending({ costUsd: 0.05 })
  for (let turn = 2; turn <= 5; turn++) {
    await send(team, `Message ${turn}`)
    await team.has('claude_result', turn)
  }
  expect(await namedIn(team, 'budget_spent')).toMatchObject([
    { percent: 80, tokens: 32, message: 'The session has spent $0.04 of $0.05' },
    {
      percent: 100,
      tokens: 40,
      message: expect.stringContaining('messages wait until you raise it'),
    },
  ])
  const { written } = team.program()
  const before = written.length
  expect((await send(team, 'One more')).status).toBe(202)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(written).toHaveLength(before)
})

test('[S20] a person raises the budget, and the messages that waited go on', async () => {
  const team = await spending({ tokens: 8 })
  await send(team, 'Wait for me')
  expect(await (await team.get('/api/session/budget')).json()).toEqual({
    budget: { costUsd: null, tokens: 8 },
    spent: { costUsd: 0.01, tokens: 8 },
    percent: 100,
  })
  expect((await team.post('/api/session/budget', { tokens: 100 })).status).toBe(200)
  await team.has('claude_result', 2)
  expect(team.program().written.at(-1)).toBe('Wait for me')
  expect(await namedIn(team, 'budget_set')).toEqual([
    { costUsd: null, tokens: 8 },
    { costUsd: null, tokens: 100 },
  ])
})

test('[S20] a session without room ends as every other, and the next one has its budget anew', async () => {
  const team = await spending({ tokens: 8 })
  await send(team, 'Too late')
  expect((await team.post('/api/session/end')).status).toBe(200)
  await team.post('/api/session/start', { budget: { tokens: 80 } })
  await team.has('claude_result', 2)
  expect(await (await team.get('/api/session/budget')).json()).toMatchObject({ percent: 10 })
})

test('[S20] what is spent is still spent after the program has ended, and after a restart of the server', async () => {
  const dataDir = newFolder()
  const store = `sqlite:${dataDir}/throughline.db`
  const first = await started({ ...REAL, dataDir, store }, 'open')
  await first.post('/api/session/start', { budget: { tokens: 16 } })
  await first.has('claude_result')
  first.program().die()
  await first.has('session_start', 2)
  await send(first, 'The last one')
  await first.has('claude_result', 2)
  await first.close()
  const next = await started({ ...REAL, dataDir, store, budget: { costUsd: null, tokens: 1_000 } })
  await next.has('session_start', 3)
  expect(await (await next.get('/api/session/budget')).json()).toMatchObject({
    budget: { tokens: 16 },
    percent: 100,
  })
  await send(next, 'Nothing is left')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(next.program().written).toEqual([])
})

test('the budget of the settings holds, unless the start gives another amount or none', async () => {
  const budget = { costUsd: 5, tokens: 100 }
  const team = await started({ ...REAL, budget })
  await team.post('/api/session/start', { budget: { costUsd: 2, tokens: null } })
  await team.has('claude_result')
  await team.post('/api/session/end')
  await team.post('/api/session/start')
  await team.has('claude_result', 2)
  expect(await namedIn(team, 'budget_set')).toEqual([{ costUsd: 2, tokens: null }, budget])
  const invalid = [{ costUsd: 0 }, { tokens: 1.5 }, { dollars: 5 }]
  for (const given of invalid) {
    expect((await team.post('/api/session/budget', given)).status).toBe(400)
  }
})

test('a scripted program spends nothing, and without a session there is no budget to set', async () => {
  const team = await begun({ budget: { costUsd: 0.01, tokens: 1 } })
  await send(team, 'Hello')
  await team.has('claude_result', 2)
  expect(await namedIn(team, 'budget_spent')).toEqual([])
  await team.post('/api/session/end')
  const refused = await team.post('/api/session/budget', { tokens: 5 })
  expect(await refused.json()).toMatchObject({ code: 'no_session' })
})

test('budgets come as events of their own names, right behind the start of the session', async () => {
  const team = await started({ ...REAL, budget: { costUsd: 0.01, tokens: null } })
  const stream = team.follow('/api/events?after=-1')
  await team.post('/api/session/start')
  await vi.waitFor(() => {
    const names = stream.frames.flatMap(
      (frame) => /"type":"(session_start)"|^event: (budget_\w+)/m.exec(frame)?.slice(1) ?? [],
    )
    expect(names.filter(Boolean)).toEqual(['session_start', 'budget_set', 'budget_spent'])
  })
  await stream.close()
})
