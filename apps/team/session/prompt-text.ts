import { endOf, shortJson } from 'throughline/server/extend'
import type { LogRecord } from 'throughline'
import type { DocumentHead } from '../documents/index.ts'
import { flatEvent } from '../events/index.ts'
import type { Ask, TeamEvent, WakePayload } from '../events/index.ts'
import type { PromptRequest } from '../reader/index.ts'
import { TRANSCRIPT_CHARS_MAX } from './memory.ts'
import type { Memory } from './memory.ts'
import { escapeText, isSaid, transcriptLines } from './transcript-text.ts'
import type { ToldDocuments } from './transcript-text.ts'

const FORM_CHARS_MAX = 20_000

/** Returns the request of a record that the program answers, for the reader. */
export function askedBy(record: LogRecord): PromptRequest {
  const event = flatEvent(record)
  if (event?.type !== 'user_message') return { target: null }
  return { target: event.targetAgent, ask: event.ask }
}

/** The text that is written to the program for a record. */
export async function promptText(record: LogRecord, documents: ToldDocuments): Promise<string> {
  return (await textOfRecord(record, documents)).toWellFormed()
}

async function textOfRecord(record: LogRecord, documents: ToldDocuments): Promise<string> {
  const event = flatEvent(record)
  if (event?.type === 'user_message') return messageText(event)
  if (event?.type === 'user_wake') return wakeText(event.agentPayloads, documents)
  return summonText(await documents.heads())
}

function summonText(documents: readonly DocumentHead[]): string {
  const taken = documents.flatMap((each) =>
    each.type === 'agent-identity' ? [`${each.gridPosition} (${each.name})`] : [],
  )
  const summons = '[SUMMON AGENTS] Register the agents of your team, one marker line each.'
  return taken.length === 0 ? summons : `${summons} These places are taken: ${taken.join(', ')}.`
}

function messageText({
  text,
  targetAgent,
  ask,
}: Extract<TeamEvent, { type: 'user_message' }>): string {
  if (ask) return askText(ask)
  return targetAgent === null ? text : `[ROUTE TO AGENT: ${targetAgent}] ${text}`
}

function askText(ask: Ask): string {
  switch (ask.kind) {
    case 'offer': {
      const jobs = ask.jobs.map(({ name, description }) => `- ${name}: ${description}`)
      return [`[OFFER WORK TO AGENT: ${ask.agentName}] Available jobs:`, ...jobs].join('\n')
    }
    case 'job_help':
      return `[JOB HELP] ${shortJson(ask.formState, FORM_CHARS_MAX)}`
    case 'ledger_reset':
      return '[LEDGER RESET]'
    case 'greeting':
      return ask.prompt
  }
}

async function wakeText(agents: readonly WakePayload[], documents: ToldDocuments): Promise<string> {
  const heads = await documents.heads()
  const payloads: string[] = []
  for (const { name, color, colorName, gridPosition, hasSoul } of agents) {
    const looks = `color="${escapeText(color)}" colorName="${escapeText(colorName)}"`
    const type = hasSoul ? 'wake' : 'birth'
    const opening = `<agent name="${escapeText(name)}" ${looks} position="${gridPosition}" type="${type}">`
    const soul = `<soul>${escapeText(soulOf(name, heads))}</soul>`
    const transcript = await transcriptOf(name, heads, documents)
    payloads.push(`${opening}${soul}<transcript>${transcript}</transcript></agent>`)
  }
  return `[WAKE AGENTS]\n<agent-payloads>${payloads.join('')}</agent-payloads>`
}

function soulOf(name: string, documents: readonly DocumentHead[]): string {
  const soul = documents.find((each) => each.type === 'agent-identity' && each.name === name)
  return soul?.type === 'agent-identity' ? soul.individuationArtifact : ''
}

/** The newest lines of an agent and of people to it. */
async function transcriptOf(
  name: string,
  heads: readonly DocumentHead[],
  documents: ToldDocuments,
): Promise<string> {
  const said = heads
    .filter(isSaid)
    .filter((head) => (head.role === 'user' ? head.targetAgent : head.agentName) === name)
  return endOf((await transcriptLines(said, documents)).join('\n'), TRANSCRIPT_CHARS_MAX)
}

/** The message that a session begins with: what it is told of earlier ones, and the wish for a greeting. */
export function greeting({ catalogue, transcripts }: Memory): string {
  const parts = [catalogue, transcripts, 'Greet the person in one or two sentences.']
  return parts.filter((part) => part !== '').join('\n\n')
}
