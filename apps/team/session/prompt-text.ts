import { endOf, shortJson } from 'throughline/server/extend'
import { isJsonObject } from 'throughline/client'
import { textOf } from 'throughline'
import type { LogRecord } from 'throughline'
import type { Document } from '../documents/index.ts'
import { flatEvent } from '../events/index.ts'
import type { Ask, TeamEvent, WakePayload } from '../events/index.ts'
import type { PromptRequest } from '../reader/index.ts'

const FORM_CHARS_MAX = 20_000
const TRANSCRIPT_LINES_MAX = 40
const TRANSCRIPT_CHARS_MAX = 20_000

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
    const looks = `color="${escape(color)}" colorName="${escape(colorName)}"`
    const type = agent.hasSoul ? 'wake' : 'birth'
    const opening = `<agent name="${escape(name)}" ${looks} position="${gridPosition}" type="${type}">`
    return `${opening}<soul>${escape(soulOf(name, documents))}</soul><transcript>${escape(
      transcriptOf(name, documents),
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
    return isTheirs ? [`[${document.speakerType} — ${document.speakerName}]: ${document.text}`] : []
  })
  return endOf(lines.slice(-TRANSCRIPT_LINES_MAX).join('\n'), TRANSCRIPT_CHARS_MAX)
}

/** The message that a session begins with: the team, the messages before, and the wish for a greeting. */
export function greeting({
  previousTranscript,
  artifactCatalog,
}: {
  readonly previousTranscript?: unknown
  readonly artifactCatalog?: unknown
}): string {
  const parts = [
    catalogue(artifactCatalog),
    transcript(previousTranscript),
    'Greet the person in one or two sentences.',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function catalogue(given: unknown): string {
  if (!Array.isArray(given) || given.length === 0) return ''
  const lines = given.filter(isJsonObject).map((entry) => {
    const [file, category] = [textOf(entry, 'filename'), textOf(entry, 'category') || 'knowledge']
    return `- ${file} [${category}] — ${textOf(entry, 'description')}`
  })
  const opening = `<memory category="catalog" document-count=${lines.length}>`
  return [opening, ...lines, '</memory>'].join('\n')
}

function transcript(given: unknown): string {
  if (typeof given === 'string') return previous([given], '')
  if (!Array.isArray(given) || given.length === 0) return ''
  const lines = given.filter(isJsonObject).map((entry) => {
    const speakerType = textOf(entry, 'speakerType') || 'human'
    return `[${speakerType} — ${textOf(entry, 'speakerName')}]: ${textOf(entry, 'text')}`
  })
  return previous(lines.slice(-TRANSCRIPT_LINES_MAX), ` message-count=${lines.length}`)
}

function previous(lines: readonly string[], counted: string): string {
  const opening = `<previous-session category="transcript"${counted}>`
  return [opening, endOf(lines.join('\n'), TRANSCRIPT_CHARS_MAX), '</previous-session>'].join('\n')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
