import { endOf, shortJson } from 'throughline/server/extend'
import type { LogRecord } from 'throughline'
import type { Document } from '../documents/index.ts'
import { flatEvent } from '../events/index.ts'
import type { Ask, TeamEvent, WakePayload } from '../events/index.ts'
import type { PromptRequest } from '../reader/index.ts'
import { TRANSCRIPT_CHARS_MAX, TRANSCRIPT_LINES_MAX } from './memory.ts'
import type { Memory } from './memory.ts'
import { escapeText, transcriptLine } from './transcript-text.ts'

const FORM_CHARS_MAX = 20_000

/** Returns the request of a record that the program answers, for the reader. */
export function askedBy(record: LogRecord): PromptRequest {
  const event = flatEvent(record)
  if (event?.type !== 'user_message') return { target: null }
  return { target: event.targetAgent, ask: event.ask }
}

/** The text that is written to the program for a record. */
export function promptText(record: LogRecord, documents: readonly Document[]): string {
  return textOfRecord(record, documents).toWellFormed()
}

function textOfRecord(record: LogRecord, documents: readonly Document[]): string {
  const event = flatEvent(record)
  if (event?.type === 'user_message') return messageText(event)
  if (event?.type === 'user_wake') return wakeText(event.agentPayloads, documents)
  return summonText(documents)
}

function summonText(documents: readonly Document[]): string {
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

function wakeText(agents: readonly WakePayload[], documents: readonly Document[]): string {
  const payloads = agents.map((agent) => {
    const { name, color, colorName, gridPosition } = agent
    const looks = `color="${escapeText(color)}" colorName="${escapeText(colorName)}"`
    const type = agent.hasSoul ? 'wake' : 'birth'
    const opening = `<agent name="${escapeText(name)}" ${looks} position="${gridPosition}" type="${type}">`
    return `${opening}<soul>${escapeText(soulOf(name, documents))}</soul><transcript>${transcriptOf(
      name,
      documents,
    )}</transcript></agent>`
  })
  return `[WAKE AGENTS]\n<agent-payloads>${payloads.join('')}</agent-payloads>`
}

function soulOf(name: string, documents: readonly Document[]): string {
  const soul = documents.find((each) => each.type === 'agent-identity' && each.name === name)
  return soul?.type === 'agent-identity' ? soul.individuationArtifact : ''
}

/** The newest lines of an agent and of people to it. */
export function transcriptOf(name: string, documents: readonly Document[]): string {
  const lines = documents.flatMap((document) => {
    if (document.type !== 'message') return []
    const isTheirs =
      document.role === 'user' ? document.targetAgent === name : document.agentName === name
    return isTheirs ? (transcriptLine(document) ?? []) : []
  })
  return endOf(lines.slice(-TRANSCRIPT_LINES_MAX).join('\n'), TRANSCRIPT_CHARS_MAX)
}

/** The message that a session begins with: what it is told of earlier ones, and the wish for a greeting. */
export function greeting({ catalogue, transcripts }: Memory): string {
  const parts = [catalogue, transcripts, 'Greet the person in one or two sentences.']
  return parts.filter((part) => part !== '').join('\n\n')
}
