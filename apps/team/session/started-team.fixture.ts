import { expect, onTestFinished, vi } from 'vitest'
import { flatEvent } from '../events/index.ts'
import type { TeamEvent } from '../events/index.ts'
import { openTeam } from '../team.fixture.ts'
import type { TeamOptions } from '../team.fixture.ts'
import { saying } from './scripted-team.fixture.ts'
import type { Script } from './scripted-team.fixture.ts'

const answering: Script = (text) => saying(`You said: ${text}`)
const hanging: Script = (text, id) => (text.includes('hang') ? 'hang' : answering(text, id))

/** A server with a team, and its events as they are on record. */
export async function started(
  options: Partial<TeamOptions> = {},
  after: 'close' | 'open' = 'close',
) {
  const team = await openTeam({ script: hanging, ...options })
  if (after === 'close') onTestFinished(() => team.close())
  const events = async () => {
    const all: TeamEvent[] = []
    for await (const records of team.log.read('team'))
      all.push(...records.flatMap((record) => flatEvent(record) ?? []))
    return all
  }
  const has = (type: string, count = 1) =>
    vi.waitFor(async () => {
      const found = (await events()).filter((event) => event.type === type)
      expect(found.length).toBeGreaterThanOrEqual(count)
      return found
    }, 10_000)
  const program = () => {
    const last = team.programs.started.at(-1)
    if (!last) throw new TypeError('no program has started')
    return last
  }
  return { ...team, follow: team.events, events, has, program }
}

/** With a session that has greeted. */
export async function begun(options: Partial<TeamOptions> = {}, after: 'close' | 'open' = 'close') {
  const team = await started(options, after)
  await team.post('/api/session/start')
  await team.has('claude_result')
  return team
}

/** Holds back the program that is started next until it is let go. */
export function holdBack({ programs }: Awaited<ReturnType<typeof started>>) {
  const ready = Promise.withResolvers<void>()
  const open = programs.open.bind(programs)
  programs.open = async (wish) => {
    const program = await open(wish)
    return Object.defineProperty(program, 'ready', { value: ready.promise })
  }
  return ready.resolve
}
