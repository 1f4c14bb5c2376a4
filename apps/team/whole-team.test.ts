import { open } from 'throughline'
import { membersOf } from 'throughline/json'
import type { LogRecord } from 'throughline/log'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { claudePrograms } from './claude-programs.ts'
import { defineTeam } from './definition.ts'
import { DocumentStore } from './documents/index.ts'
import type { Document } from './documents/index.ts'
import { TEAM_THREAD, flatEvent } from './events/index.ts'
import type { TeamEvent } from './events/index.ts'
import { Team } from './session/index.ts'

const MESSAGES = 20
const AS = {}
/** The answer to a summons: a message and three agents. */
const ANSWER_DOCUMENTS_MAX = 4

/** One life of the server, with the built-in program in a process of its own. */
async function openLife(dataDir: string) {
  const app = defineTeam()
  const throughline = await open({ store: `sqlite:${dataDir}/throughline.db`, apps: [app] })
  const { log } = throughline
  const onFault = (error: unknown): never => {
    throw error
  }
  const file = `${dataDir}/documents.json`
  const documents = await DocumentStore.open({ log, thread: TEAM_THREAD, file, onFault })
  const team = new Team({
    opened: throughline.app(app),
    log,
    documents,
    folder: dataDir,
    screenPort: 3848,
    programs: claudePrograms({ folder: dataDir, environment: process.env }),
    demoMode: true,
    auth: { authMethod: 'none', needsSetup: false, expiresInMinutes: null },
    now: Date.now,
    onFault,
  })
  await team.recover()
  const records = async () => {
    const all: LogRecord[] = []
    for await (const some of log.read(TEAM_THREAD)) all.push(...some)
    return all
  }
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

type Life = Awaited<ReturnType<typeof openLife>>

async function live(disturb: (life: Life, message: number, dataDir: string) => Promise<Life>) {
  const dataDir = newFolder()
  let life = await openLife(dataDir)
  await life.team.start({}, AS)
  await life.team.propose('user_summon', {}, AS)
  for (let message = 0; message < MESSAGES; message++) {
    const text = message % 5 === 4 ? 'Please write a plan' : `Message ${message}`
    const data = { text, speakerName: 'Ada', targetAgent: message % 3 === 0 ? 'Lyra' : null }
    await life.team.propose('user_message', data, AS)
    life = await disturb(life, message, dataDir)
  }
  const results = () =>
    life.events().then((all) => all.filter(({ type }) => type === 'claude_result'))
  const answered = (all: readonly TeamEvent[]) =>
    all.flatMap((event) => membersOf({ ...event } as never)['answers'] ?? []).flat()
  await vi.waitFor(
    async () => expect(answered(await life.events()).length).toBeGreaterThanOrEqual(MESSAGES + 2),
    30_000,
  )
  const documents = await life.documents.all()
  const answers = answered(await results())
  const lost = lostIn(await life.records())
  await life.close()
  return { documents, answers, lost }
}

/** Messages that are named as answered by a program that ended before it could say so. */
function lostIn(records: readonly LogRecord[]): number {
  const faults = records.filter(({ type }) => type === 'server_error')
  return faults.flatMap(({ data }) => membersOf(data)['answers'] ?? []).flat().length
}

const told = (documents: readonly Document[]) =>
  documents.flatMap((document) => {
    if (document.type === 'message') return [`${document.speakerName}: ${document.text}`]
    if (document.type === 'artifact') return [document.filename]
    return document.type === 'agent-identity' ? [document.name] : []
  })

async function killProgram(life: Life): Promise<void> {
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

test('[D002] [D036] whatever ends, the program or the server, each message is answered once, or named as lost', async () => {
  const quiet = await live((life) => Promise.resolve(life))
  const disturbed = await live(async (life, message, dataDir) => {
    if (message % 4 === 1) await killProgram(life)
    if (message % 7 !== 6) return life
    await life.close()
    return openLife(dataDir)
  })
  expect(new Set(disturbed.answers).size).toBe(disturbed.answers.length)
  expect(quiet.lost).toBe(0)
  const missing = difference(told(quiet.documents), told(disturbed.documents))
  expect(difference(told(disturbed.documents), told(quiet.documents))).toEqual([])
  expect(missing.filter((line) => line.startsWith('Ada: '))).toEqual([])
  expect(missing.length).toBeLessThanOrEqual(disturbed.lost * ANSWER_DOCUMENTS_MAX)
})

/** The lines that stand more often in one list than in the other. */
function difference(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other]
  return one.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
