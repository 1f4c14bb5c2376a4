import type { JsonObject } from 'throughline/client'
import { registerAgent, reportStatus, sleepAll } from '../events/agents.ts'
import type { Agents } from '../events/agents.ts'
import { isConversation } from '../events/conversation.ts'
import type { TeamEvent } from '../events/payloads.ts'

/** Messages that the page keeps. */
export const ITEMS_MAX = 500
const COMMANDS_MAX = 200

export interface TeamItem {
  readonly key: number
  readonly by: 'person' | 'agent' | 'notice'
  readonly who: string
  readonly text: string
  /** Names of the tools that were called. */
  readonly calls: readonly string[]
  /** The agent that it was sent to. */
  readonly to: string | null
  /** The message that it is, or that it tells of. */
  readonly uuid?: string
  /** Why the program does not have it. */
  readonly undelivered?: 'set_aside' | 'sent_again' | 'dropped'
  /** 0: the lead and its agents. 1: sub-agents, which work for them. */
  readonly depth: 0 | 1
}

export interface ShownArtifact {
  readonly filename: string
  readonly description: string
  readonly category: string
}

export interface TeamView {
  readonly session: {
    readonly id: string
    readonly model: string
    readonly demoMode: boolean
  } | null
  /** What follows while no session is open: `restarting` goes on by itself, `given_up` with the next start. */
  readonly absence: 'ended' | 'restarting' | 'given_up'
  readonly agents: Agents
  /** The messages that the program has still to answer. */
  readonly waiting: readonly { readonly uuid: string; readonly type: Request['type'] }[]
  readonly items: readonly TeamItem[]
  readonly artifacts: readonly ShownArtifact[]
  readonly commands: readonly { readonly key: number; readonly text: string }[]
  /** The newest suggestions for a job. */
  readonly jobHelp: { readonly key: number; readonly suggestions: JsonObject } | null
  readonly needsSetup: boolean
  readonly usage: {
    readonly costUsd: number
    readonly inputTokens: number
    readonly outputTokens: number
    readonly turns: number
  }
}

export const EMPTY_VIEW: TeamView = {
  session: null,
  absence: 'ended',
  agents: {},
  waiting: [],
  items: [],
  artifacts: [],
  commands: [],
  jobHelp: null,
  needsSetup: false,
  usage: { costUsd: 0, inputTokens: 0, outputTokens: 0, turns: 0 },
}

/** Whether a script plays the team: it calls no model. */
export function isScriptedSession({ demoMode, model }: NonNullable<TeamView['session']>): boolean {
  return demoMode || model === 'scripted'
}

export function isWorking({ session, waiting }: TeamView): boolean {
  return session !== null && waiting.length > 0
}

/** Whether a turn that summons agents has not ended: each free place may still get its agent. */
export function isHatching({ session, waiting }: TeamView): boolean {
  return session !== null && waiting.some(({ type }) => type === 'user_summon')
}

/** What the page follows: the team's events, and that a person dropped a message. */
export type PageEvent =
  | TeamEvent
  | { readonly type: 'message_dropped'; readonly id: number; readonly message: string }

/** Folds one event into the page's view. Events without a place on the page change nothing. */
export function viewAfter(view: TeamView, event: PageEvent): TeamView {
  switch (event.type) {
    case 'session_start': {
      const { sessionId, model, demoMode } = event
      return { ...view, session: { id: sessionId ?? '', model, demoMode } }
    }
    case 'claude_system':
      return { ...view, session: view.session && { ...view.session, ...modelOf(event) } }
    case 'auth_state':
      return { ...view, needsSetup: event.needsSetup }
    case 'session_end':
      return { ...ended(view, event), agents: sleepAll(view.agents) }
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
  switch (event.type) {
    case 'claude_text':
      return withItem(view, event, leadItem(event))
    case 'agent_message':
      return withItem(view, event, agentItem(event))
    case 'claude_result':
      return { ...answered(view, event.answers), usage: usageAfter(view.usage, event) }
    case 'artifact_written':
      return { ...view, artifacts: artifactsAfter(view.artifacts, event) }
    case 'screen_command': {
      const command = { key: event.id, text: event.command }
      return { ...view, commands: [...view.commands, command].slice(-COMMANDS_MAX) }
    }
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
type Drawn = Pick<TeamItem, 'by' | 'who' | 'text'> & Partial<TeamItem>

function ended(view: TeamView, { reason }: Of<'session_end'>): TeamView {
  const left = reason === 'user_ended' ? { ...settled(view, 'dropped'), waiting: [] } : view
  const goesOn = reason === 'process_crash' || reason === 'server_shutdown'
  return { ...left, session: null, absence: goesOn ? 'restarting' : 'ended' }
}

function afterGivingUp(view: TeamView, { gaveUp = false }: Of<'server_error'>): TeamView {
  return gaveUp && view.absence === 'restarting' ? { ...view, absence: 'given_up' } : view
}

/** A message that was set aside has its buttons; one that the page does not show has them on the notice. */
function withError(view: TeamView, event: Of<'server_error'>): TeamView {
  const { message: text, isSetAside = false, answers = [] } = event
  const notice = { by: 'notice', who: '', text } as const
  if (!isSetAside) return withItem(view, event, notice)
  const [uuid = ''] = answers
  const undelivered = 'set_aside' as const
  if (!view.items.some((item) => item.uuid === uuid)) {
    return withItem(view, event, { ...notice, uuid, undelivered })
  }
  const items = view.items.map((item) => (item.uuid === uuid ? { ...item, undelivered } : item))
  return withItem({ ...view, items }, event, notice)
}

function requested(view: TeamView, { type, uuid = '', again }: Request): TeamView {
  const waiting = [...view.waiting, { uuid, type }]
  return again === undefined
    ? { ...view, waiting }
    : settled({ ...view, waiting }, 'sent_again', again)
}

function answered(view: TeamView, answers: readonly string[] = []): TeamView {
  return { ...view, waiting: view.waiting.filter(({ uuid }) => !answers.includes(uuid)) }
}

/** Settles the message that was set aside, or all of them. */
function settled(view: TeamView, how: 'sent_again' | 'dropped', message?: string): TeamView {
  const items = view.items.map((item) => {
    const isMeant = message === undefined || item.uuid === message
    return item.undelivered === 'set_aside' && isMeant ? { ...item, undelivered: how } : item
  })
  return { ...view, items }
}

function withAsked(view: TeamView, event: Of<'user_message'>): TeamView {
  return isConversation(event) ? withItem(view, event, personItem(event)) : view
}

function personItem({ text, speakerName, targetAgent, uuid }: Of<'user_message'>): Drawn {
  return { by: 'person', who: speakerName, text, to: targetAgent, ...(uuid && { uuid }) }
}

function modelOf({ model }: Of<'claude_system'>): { readonly model?: string } {
  return model === undefined ? {} : { model }
}

function leadItem({ content, parentToolUseId }: Of<'claude_text'>): Drawn {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block.name] : []))
  const depth = parentToolUseId === undefined ? 0 : 1
  return { by: 'agent', who: '', text: texts.join('\n'), calls, depth }
}

function agentItem({ agentName, content }: Of<'agent_message'>): Drawn {
  return { by: 'agent', who: agentName, text: content.map(({ text }) => text).join('\n') }
}

function withItem(view: TeamView, { id }: TeamEvent, drawn: Drawn): TeamView {
  if (drawn.text === '' && (drawn.calls ?? []).length === 0) return view
  const item: TeamItem = { key: id, calls: [], to: null, depth: 0, ...drawn }
  return { ...view, items: [...view.items, item].slice(-ITEMS_MAX) }
}

function usageAfter(usage: TeamView['usage'], event: Of<'claude_result'>): TeamView['usage'] {
  return {
    turns: usage.turns + 1,
    costUsd: usage.costUsd + (event.costUsd ?? 0),
    inputTokens: usage.inputTokens + event.usage.inputTokens,
    outputTokens: usage.outputTokens + event.usage.outputTokens,
  }
}

function artifactsAfter(
  artifacts: TeamView['artifacts'],
  { filename, meta }: Of<'artifact_written'>,
): TeamView['artifacts'] {
  const { description = '', category = 'knowledge' } = meta ?? {}
  const others = artifacts.filter((artifact) => artifact.filename !== filename)
  return [{ filename, description, category }, ...others]
}
