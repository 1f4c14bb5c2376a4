import { expect, onTestFinished, vi } from 'vitest'
import { saying } from '../session/scripted-team.fixture.ts'
import type { Script } from '../session/scripted-team.fixture.ts'
import { openTeam } from '../team.fixture.ts'
import type { TeamOptions } from '../team.fixture.ts'

const script: Script = (text) => {
  if (text.includes('hang')) return 'hang'
  if (text.startsWith('[SUMMON'))
    return saying('[AGENT_REGISTERED] {"name":"Lyra","gridPosition":0}')
  if (text.startsWith('[JOB HELP]')) return saying('{"name":"Cook"}')
  return saying(`You said: ${text}`)
}

/** A server with a team. */
export async function team(options: Partial<TeamOptions> = {}) {
  const opened = await openTeam({ script, ...options })
  onTestFinished(() => opened.close())
  return opened
}

/** With a session that has greeted, and its stream. */
export async function started(options: Partial<TeamOptions> = {}) {
  const opened = await team(options)
  expect((await opened.post('/api/session/start')).status).toBe(200)
  const stream = opened.events()
  onTestFinished(() => stream.close())
  const has = (type: string, count = 1) =>
    vi.waitFor(() => {
      const found = stream.events.filter((event) => event.type === type)
      expect(found.length).toBeGreaterThanOrEqual(count)
      return found
    }, 5_000)
  await has('claude_result')
  return { ...opened, stream, has }
}

/** With Lyra in the team. */
export async function summoned() {
  const opened = await started()
  await opened.post('/api/agents/summon')
  await opened.has('claude_result', 2)
  return opened
}
