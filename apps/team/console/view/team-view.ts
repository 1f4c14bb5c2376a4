import type { JsonObject } from 'throughline/client'
import { registerAgent, reportStatus, sleepAll } from '../../events/agents.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import type { Agents } from '../../events/agents.ts'
import { isConversation } from '../../events/conversation.ts'
import type { TeamEvent } from '../../events/payloads.ts'
import {
  endedCall,
  marked,
  partsOf,
  withCall,
  withEntry,
  withHelpersParts,
  withParts,
  withoutRunning,
} from './talk.ts'
import type { Addressed, Entries, NoticeEntry, Speaker, Undelivered } from './talk.ts'
import { turnUsage } from './turns.ts'
import type { TurnUsage } from './turns.ts'

const COMMANDS_MAX = 200
/** Turns whose usage the page keeps, and writes of documents. */
const TURNS_MAX = 1_000
const WRITES_MAX = 1_000

export interface ShownArtifact {
  readonly filename: string
  readonly description: string
  readonly category: string
  readonly sizeBytes: number
  /** What the server keeps of its writes, the newest last. */
  readonly writes?: readonly KeptWrite[]
}

export interface KeptWrite {
  readonly createdAt: string
  /** Null for the lead. */
  readonly agentName: string | null
  readonly sizeBytes: number
  readonly isNew: boolean
}

/** An artifact was written, or written anew. */
export interface Write {
  readonly ts: number
  readonly filename: string
  readonly who: string
  readonly sizeBytes: number
  readonly isNew: boolean
}

export interface TeamView {
  readonly session: {
    readonly id: string
    readonly model: string
    readonly demoMode: boolean
    readonly startedAt: number
  } | null
  /** What follows while no session is open: `restarting` goes on by itself, `given_up` with the next start. */
  readonly absence: 'ended' | 'restarting' | 'given_up'
  readonly agents: Agents
  /** The messages that the program has still to answer; it works on the first. */
  readonly waiting: readonly WaitingRequest[]
  readonly entries: Entries
  /** The newest event of the conversation. */
  readonly newest: number
  readonly artifacts: readonly ShownArtifact[]
  readonly writes: readonly Write[]
  readonly commands: readonly ScreenCommand[]
  /** The newest suggestions for a job. */
  readonly jobHelp: { readonly key: number; readonly suggestions: JsonObject } | null
  readonly needsSetup: boolean
  readonly auth: Pick<Of<'auth_state'>, 'authMethod' | 'expiresInMinutes'> | null
  readonly turns: readonly TurnUsage[]
  /** The last turn of these agents failed. */
  readonly failed: readonly string[]
}

export interface WaitingRequest {
  readonly uuid: string
  readonly type: Request['type']
  readonly ts: number
  readonly text: string
  readonly by: string
  /** Whose work the turn is: the agent that it was sent to, or the lead. */
  readonly agent: string
}

export interface ScreenCommand {
  readonly key: number
  readonly ts: number
  readonly text: string
}

export const EMPTY_VIEW: TeamView = {
  session: null,
  absence: 'ended',
  agents: {},
  waiting: [],
  entries: [],
  newest: -1,
  artifacts: [],
  writes: [],
  commands: [],
  jobHelp: null,
  needsSetup: false,
  auth: null,
  turns: [],
  failed: [],
}

/** Whether a script plays the team: it calls no model. */
export function isScriptedSession({
  demoMode,
  model,
}: Pick<NonNullable<TeamView['session']>, 'demoMode' | 'model'>): boolean {
  return demoMode || model === 'scripted'
}

export function isWorking({ session, waiting }: TeamView): boolean {
  return session !== null && waiting.length > 0
}

/** The agent whose turn it is. */
export function workingAgent(view: TeamView): string | undefined {
  return view.session ? view.waiting[0]?.agent : undefined
}

/** Whether a turn that summons agents has not ended. */
export function isHatching({ session, waiting }: TeamView): boolean {
  return session !== null && waiting.some(({ type }) => type === 'user_summon')
}

/** What the page follows: the team's events, and that a person dropped a message. */
export type PageEvent =
  | TeamEvent
  | { readonly type: 'message_dropped'; readonly id: number; readonly message: string }

/** Folds one event into the page's view. Events without a place on the page change nothing. */
export function viewAfter(view: TeamView, event: PageEvent): TeamView {
  const after = sessionAfter(view, event)
  return after.entries === view.entries ? after : { ...after, newest: event.id }
}

function sessionAfter(view: TeamView, event: PageEvent): TeamView {
  switch (event.type) {
    case 'session_start': {
      const { sessionId, model, demoMode, ts } = event
      const session = { id: sessionId ?? '', model, demoMode, startedAt: ts }
      return {
        ...withNotice(view, event, { about: beginning(view, session.id), text: session.id }),
        session,
        failed: [],
      }
    }
    case 'claude_system':
      return { ...view, session: view.session && { ...view.session, ...modelOf(event) } }
    case 'auth_state': {
      const { needsSetup, authMethod, expiresInMinutes } = event
      return { ...view, needsSetup, auth: { authMethod, expiresInMinutes } }
    }
    case 'session_end': {
      const left = { ...ended(view, event), agents: sleepAll(view.agents) }
      return withNotice(left, event, { about: 'ended', text: event.reason })
    }
    case 'agent_registered':
      return { ...view, agents: registerAgent(view.agents, event.agent, event) }
    case 'agent_status':
      return { ...view, agents: reportStatus(view.agents, event.agents, event) }
    default:
      return requestAfter(view, event)
  }
}

function requestAfter(view: TeamView, event: PageEvent): TeamView {
  switch (event.type) {
    case 'user_message':
      return withAsked(requested(view, event), event)
    case 'user_summon':
    case 'user_wake':
      return requested(view, event)
    case 'message_dropped':
      return settled(view, 'dropped', event.message)
    default:
      return outputAfter(view, event)
  }
}

function outputAfter(view: TeamView, event: TeamEvent): TeamView {
  const { entries } = view
  switch (event.type) {
    case 'claude_text': {
      const parts = partsOf(event.content, event)
      const { id, ts, parentToolUseId: call } = event
      return call === undefined
        ? { ...view, entries: withParts(entries, parts, { id, ts, ...speaker(view) }) }
        : { ...view, entries: withHelpersParts(entries, parts, { call, newest: id }) }
    }
    case 'agent_message': {
      const { id, ts, agentName: who, content } = event
      const by = { id, ts, ...speaker(view), who }
      return { ...view, entries: withParts(entries, partsOf(content, event), by) }
    }
    case 'claude_tool_result': {
      const at = { call: event.toolUseId, newest: event.id }
      return { ...view, entries: withCall(entries, at, (call) => endedCall(call, event)) }
    }
    case 'claude_compact':
      return withNotice(view, event, { about: 'shortened', text: speaker(view).who })
    default:
      return workAfter(view, event)
  }
}

function workAfter(view: TeamView, event: TeamEvent): TeamView {
  switch (event.type) {
    case 'claude_result':
      return afterTurn(view, event)
    case 'artifact_written': {
      const { ts, filename, agentName: who = LEAD_NAME, sizeBytes, isNew } = event
      const write = { ts, filename, who, sizeBytes, isNew }
      const writes = [...view.writes, write].slice(-WRITES_MAX)
      return { ...view, writes, artifacts: artifactsAfter(view.artifacts, event) }
    }
    case 'screen_command':
      return drawn(view, event)
    case 'job_help':
      return { ...view, jobHelp: { key: event.id, suggestions: event.suggestions } }
    case 'server_error':
      return withError(afterGivingUp(answered(view, event.answers), event), event)
    default:
      return view
  }
}

type Request = Of<'user_message' | 'user_summon' | 'user_wake'>
type Of<Type extends TeamEvent['type']> = Extract<TeamEvent, { type: Type }>

/** Who works now, and for whom. */
function speaker({ waiting: [now] }: TeamView): Speaker {
  const isMessage = now?.type === 'user_message' && now.by !== ''
  return { who: now?.agent ?? LEAD_NAME, to: isMessage ? now.by : null }
}

/** The next process goes on with a session that the page has seen begin. */
function beginning({ entries }: TeamView, session: string): 'began' | 'went_on' {
  const isKnown = entries.some(
    (entry) => entry.kind === 'notice' && entry.about === 'began' && entry.text === session,
  )
  return isKnown ? 'went_on' : 'began'
}

function withNotice(
  view: TeamView,
  { id: key, ts }: Pick<TeamEvent, 'id' | 'ts'>,
  told: Pick<NoticeEntry, 'about' | 'text' | 'uuid' | 'undelivered'>,
): TeamView {
  return { ...view, entries: withEntry(view.entries, { kind: 'notice', key, ts, ...told }) }
}

function ended(view: TeamView, { reason, ts }: Of<'session_end'>): TeamView {
  const left = reason === 'user_ended' ? { ...settled(view, 'dropped'), waiting: [] } : view
  const goesOn = reason === 'process_crash' || reason === 'server_shutdown'
  const absence = goesOn ? 'restarting' : 'ended'
  return { ...left, entries: withoutRunning(left.entries, ts), session: null, absence }
}

function afterGivingUp(view: TeamView, { gaveUp = false }: Of<'server_error'>): TeamView {
  return gaveUp && view.absence === 'restarting' ? { ...view, absence: 'given_up' } : view
}

/** A message that was set aside has its buttons; one that the page does not show has them on the notice. */
function withError(view: TeamView, event: Of<'server_error'>): TeamView {
  const { message: text, isSetAside = false, answers = [] } = event
  if (!isSetAside) return withNotice(view, event, { about: 'failed', text: text })
  const [uuid = ''] = answers
  const isShown = view.entries.some((entry) => entry.kind === 'person' && entry.uuid === uuid)
  if (isShown) {
    const entries = marked(view.entries, 'set_aside', (entry) => entry.uuid === uuid)
    return withNotice({ ...view, entries }, event, { about: 'failed', text: text })
  }
  return withNotice(view, event, { about: 'failed', text, uuid, undelivered: 'set_aside' })
}

function requested(view: TeamView, event: Request): TeamView {
  const { type, uuid = '', ts, again } = event
  const said = event.type === 'user_message' && isConversation(event) ? event : undefined
  const agent = (event.type === 'user_message' && event.targetAgent) || LEAD_NAME
  const request = { uuid, type, ts, text: said?.text ?? '', by: said?.speakerName ?? '', agent }
  const after = { ...view, waiting: [...view.waiting, request] }
  return again === undefined ? after : settled(after, 'sent_again', again)
}

function answered(view: TeamView, answers: readonly string[] = []): TeamView {
  return { ...view, waiting: view.waiting.filter(({ uuid }) => !answers.includes(uuid)) }
}

function afterTurn(view: TeamView, event: Of<'claude_result'>): TeamView {
  const { who } = speaker(view)
  const turn = turnUsage(view, event, who)
  const others = view.failed.filter((name) => name !== who)
  return {
    ...answered(view, event.answers),
    entries: withoutRunning(view.entries, event.ts),
    turns: [...view.turns, turn].slice(-TURNS_MAX),
    failed: event.subtype === 'success' ? others : [...others, who],
  }
}

/** Settles the message that was set aside, or all of them. */
function settled(view: TeamView, how: Undelivered, message?: string): TeamView {
  const isMeant = ({ undelivered, uuid }: Addressed) =>
    undelivered === 'set_aside' && (message === undefined || uuid === message)
  return { ...view, entries: marked(view.entries, how, isMeant) }
}

function withAsked(view: TeamView, event: Of<'user_message'>): TeamView {
  if (!isConversation(event)) return view
  const { id: key, ts, text, speakerName: who, targetAgent: to, uuid } = event
  const entry = { kind: 'person', key, ts, who, text, to, ...(uuid && { uuid }) } as const
  return { ...view, entries: withEntry(view.entries, entry) }
}

function modelOf({ model }: Of<'claude_system'>): { readonly model?: string } {
  return model === undefined ? {} : { model }
}

/** A drawing is recorded after the result of the call that drew it. */
function drawn(view: TeamView, { id: key, ts, command: text }: Of<'screen_command'>): TeamView {
  const commands = [...view.commands, { key, ts, text }].slice(-COMMANDS_MAX)
  const last = view.entries.at(-1)
  const call =
    last?.kind === 'agent' ? last.parts.findLast(({ kind }) => kind === 'call') : undefined
  if (call?.kind !== 'call' || call.state !== 'done') return { ...view, commands }
  const entries = withCall(view.entries, { call: call.key }, (part) => ({
    ...part,
    drawn: [...part.drawn, text],
  }))
  return { ...view, commands, entries }
}

function artifactsAfter(
  artifacts: TeamView['artifacts'],
  { filename, meta, sizeBytes }: Of<'artifact_written'>,
): TeamView['artifacts'] {
  const { description = '', category = 'knowledge' } = meta ?? {}
  const others = artifacts.filter((artifact) => artifact.filename !== filename)
  const { writes = [] } = artifacts.find((artifact) => artifact.filename === filename) ?? {}
  return [{ filename, description, category, sizeBytes, writes }, ...others]
}
