import { membersOf, open } from 'throughline'
import type { LogRecord } from 'throughline'
import { defineTeam } from './definition.ts'
import { DocumentStore } from './documents/index.ts'
import { TEAM_THREAD, flatEvent } from './events/index.ts'
import type { TeamEvent } from './events/index.ts'
import { Team } from './session/index.ts'
import type { Programs } from './session/index.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const NO_KEY_NEEDED = { authMethod: 'none', needsSetup: false, expiresInMinutes: null } as const

/** One life of the server, with a program in a process of its own. */
export async function openLife(dataDir: string, programs: Programs) {
  const app = defineTeam()
  const throughline = await open({ store: `sqlite:${dataDir}/throughline.db`, apps: [app] })
  const { log } = throughline
  const onFault = (error: unknown): never => {
    throw error
  }
  const file = `${dataDir}/documents.jsonl`
  const documents = await DocumentStore.open({ log, thread: TEAM_THREAD, file, onFault })
  const team = new Team({
    opened: throughline.app(app),
    log,
    documents,
    folder: dataDir,
    screenPort: 3848,
    served: 'all',
    programs,
    demoMode: false,
    auth: NO_KEY_NEEDED,
    askAuth: async () => NO_KEY_NEEDED,
    now: Date.now,
    onFault,
  })
  await team.recover()
  const records = () => recordsOf(log, TEAM_THREAD)
  const events = async (): Promise<readonly TeamEvent[]> =>
    (await records()).flatMap((record) => flatEvent(record) ?? [])
  return {
    team,
    records,
    events,
    documents,
    async close() {
      await team.close()
      await documents.close()
      await throughline.close(0)
    },
  }
}

export type Life = Awaited<ReturnType<typeof openLife>>

export async function killProgram(life: Life): Promise<void> {
  const starts = (await life.events()).filter((event) => event.type === 'session_start')
  const pid = starts.at(-1)?.pid
  if (pid === undefined) throw new TypeError('no program runs')
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It may have ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Counts the messages that `server_error` records list under `answers`. */
export function lostIn(records: readonly LogRecord[]): number {
  const faults = records.filter(({ type }) => type === 'server_error')
  return faults.flatMap(({ data }) => membersOf(data)['answers'] ?? []).flat().length
}

/** The ids of the messages that were answered, as often as they were. */
export function answersIn(records: readonly LogRecord[]): readonly unknown[] {
  const results = records.filter(({ type }) => type === 'claude_result')
  return results.flatMap(({ data }) => membersOf(data)['answers'] ?? []).flat()
}
