import { open } from 'throughline'
import { membersOf } from 'throughline/json'
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
  const events = async () => {
    const all: TeamEvent[] = []
    for await (const records of log.read(TEAM_THREAD)) {
      all.push(...records.flatMap((record) => flatEvent(record) ?? []))
    }
    return all
  }
  return {
    team,
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
  await life.close()
  return { documents, answers }
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

test('[D002] [D036] whatever ends, the program or the server, each message is answered once', async () => {
  const quiet = await live((life) => Promise.resolve(life))
  const disturbed = await live(async (life, message, dataDir) => {
    if (message % 4 === 1) await killProgram(life)
    if (message % 7 !== 6) return life
    await life.close()
    return openLife(dataDir)
  })
  expect(new Set(disturbed.answers).size).toBe(disturbed.answers.length)
  expect(told(disturbed.documents).toSorted()).toEqual(told(quiet.documents).toSorted())
})
