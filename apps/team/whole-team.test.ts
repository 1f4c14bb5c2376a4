import { membersOf } from 'throughline'
import { expect, test, vi } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { claudePrograms } from './claude-programs.ts'
import type { Document } from './documents/index.ts'
import { wholeOf } from './documents/documents-after.fixture.ts'
import { answersIn, killProgram, lostIn, openLife } from './team-life.fixture.ts'
import type { Life } from './team-life.fixture.ts'

/** Each is about ten events. */
const MESSAGES = timesInTier({ quick: 10, full: 200 })
const MESSAGES_A_KILL = timesInTier({ quick: 4, full: 10 })
const MESSAGES_A_SERVER = timesInTier({ quick: 7, full: 40 })
const AS = {}
/** The answer to a summons: a message and three agents. */
const ANSWER_DOCUMENTS_MAX = 4

const opened = (dataDir: string) =>
  openLife(dataDir, claudePrograms({ folder: dataDir, environment: process.env, screenPort: 0 }))

async function live(disturb: (life: Life, message: number, dataDir: string) => Promise<Life>) {
  const dataDir = newFolder()
  let life = await opened(dataDir)
  await life.team.start({}, AS)
  await life.team.propose('user_summon', {}, AS)
  for (let message = 0; message < MESSAGES; message++) {
    const text = message % 5 === 4 ? 'Please write a plan' : `Message ${message}`
    const data = { text, speakerName: 'Ada', targetAgent: message % 3 === 0 ? 'Lyra' : null }
    await life.team.propose('user_message', data, AS)
    life = await disturb(life, message, dataDir)
    // At most a hundred messages wait.
    if (message % 50 === 49) await answered(life, message + 3)
  }
  await answered(life, MESSAGES + 2)
  const documents = await wholeOf(life.documents)
  const records = await life.records()
  await life.close()
  return { documents, answers: answersIn(records), lost: lostIn(records) }
}

function answered(life: Life, count: number): Promise<void> {
  return vi.waitFor(async () => {
    const records = await life.records()
    expect(answersIn(records).length + lostIn(records)).toBeGreaterThanOrEqual(count)
  }, 60_000)
}

/** What was said in full: the program begins an answer again that its end cut off. */
const told = (documents: readonly Document[]) =>
  documents.flatMap((document) => {
    if (document.type === 'message') return isCutOff(document) ? [] : [lineOf(document)]
    if (document.type === 'artifact') return [document.filename]
    return document.type === 'agent-identity' ? [document.name] : []
  })

type Message = Extract<Document, { type: 'message' }>

const isCutOff = (message: Message) => message.role === 'assistant' && message.turn === 'cut_off'
const lineOf = ({ speakerName, text }: Message) => `${speakerName}: ${text}`

test('[D002] [D036] an answer that the end of the program cuts off is marked, and begins again', async () => {
  const life = await opened(newFolder())
  await life.team.start({}, AS)
  await answered(life, 1)
  const tool = { name: 'Bash', input: { command: 'ls' }, result: '', asks: true }
  const play = [{ text: 'I begin.' }, { tool }, { text: 'I am done.' }]
  const text = JSON.stringify({ play })
  await life.team.propose('user_message', { text, speakerName: 'Ada', targetAgent: null }, AS)
  const begun = await asking(life, 1)
  await killProgram(life)
  const again = await asking(life, 2)
  expect(again.request).not.toBe(begun.request)
  const answer = { ...again, approved: true, message: '' }
  await life.team.answerPermission({ answer, ruleId: crypto.randomUUID() }, AS)
  await answered(life, 2)
  const messages = (await wholeOf(life.documents)).filter((each) => each.type === 'message')
  expect(messages.filter((each) => each.text.startsWith('I '))).toMatchObject([
    { text: 'I begin.', turn: 'cut_off' },
    { text: 'I begin.', turn: 'ended' },
    { text: 'I am done.', turn: 'ended' },
  ])
  await life.close()
}, 60_000)

/** Resolves, once the program has asked for permission so many times, with the last request. */
function asking(life: Life, count: number) {
  return vi.waitFor(async () => {
    const asked = (await life.records()).filter(({ type }) => type === 'permission_asked')
    expect(asked).toHaveLength(count)
    const { request, digest } = membersOf(asked.at(-1)?.data ?? null)
    return { request: String(request), digest: String(digest) }
  }, 10_000)
}

test('[D002] [D036] whatever ends, the program or the server, each message is answered once, or named as lost', async () => {
  const quiet = await live((life) => Promise.resolve(life))
  const disturbed = await live(async (life, message, dataDir) => {
    if (message % MESSAGES_A_KILL === 1) await killProgram(life)
    if (message % MESSAGES_A_SERVER !== MESSAGES_A_SERVER - 1) return life
    await life.close()
    return opened(dataDir)
  })
  expect(new Set(disturbed.answers).size).toBe(disturbed.answers.length)
  expect(quiet.lost).toBe(0)
  const missing = difference(told(quiet.documents), told(disturbed.documents))
  expect(difference(told(disturbed.documents), told(quiet.documents))).toEqual([])
  expect(missing.filter((line) => line.startsWith('Ada: '))).toEqual([])
  expect(missing.length).toBeLessThanOrEqual(disturbed.lost * ANSWER_DOCUMENTS_MAX)
}, 600_000)

/** Returns the lines that occur more often in the first list than in the second. */
function difference(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other]
  return one.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
