import type { InputFile } from '../../activity/index.ts'
import { isPlainName } from '../../domain/index.ts'
import { kindOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { AgentError } from '../define/agent-error.ts'
import type { ContextEntry, PageRequest } from '../define/page-request.ts'

/** Tools that a client may offer in one turn. */
export const CLIENT_TOOLS_MAX = 64
/** Characters of a client's tools: names, descriptions and parameters as JSON, together. */
export const CLIENT_TOOLS_CHARS_MAX = 200_000
/** Entries of context that a client may give with one turn. */
export const CLIENT_CONTEXT_MAX = 100
/** Characters of all entries of context together. */
export const CLIENT_CONTEXT_CHARS_MAX = 100_000
/** New messages of one turn. */
export const TURN_MESSAGES_MAX = 200
/** Characters of an id that a client gives: of a run, a message or a tool call. */
export const CLIENT_ID_CHARS_MAX = 512
/** Answers and results that a client may give at once. */
export const CLIENT_ANSWERS_MAX = 200

/** A tool that the client runs. It holds for one turn. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema of its input; anything else is read as a schema that allows every object. */
  readonly parameters?: Json
}

/** A message of a person, under the id that the client gave it. */
export interface ClientMessage {
  readonly id: string
  readonly text: string
  readonly files?: readonly InputFile[]
}

/** A run by the name that the client has for it. */
export interface WireRun {
  readonly runId: string
  /** Names the messages that the client sent with its request; they are not recorded. */
  readonly history?: string
}

/** A client's own ids, messages, tools and context for the run that it starts. */
export interface ClientRequest {
  /** A run that the thread knows by this name is never run again: the request is answered from the log. */
  readonly wire?: WireRun
  /** New messages, in their order. One that the thread holds already is not appended again. */
  readonly messages?: readonly ClientMessage[]
  /**
   * The tools that the client runs, for this turn. With this list, an agent's own tool without `execute` is
   * offered only if the list names it; without the list, always.
   */
  readonly tools?: readonly ClientTool[]
  /** The model reads it below its instructions, in this turn. */
  readonly context?: readonly ContextEntry[]
  readonly page?: PageRequest
}

/** The answer to one interrupt. */
export interface InterruptAnswer {
  readonly interruptId: string
  /** `cancelled` declines an approval; the model reads that a person declined to answer. */
  readonly status: 'resolved' | 'cancelled'
  /** The values by the names that were asked for; for an approval `{ approved, reason? }`. */
  readonly payload?: Json
}

/** A result of the client's own tool. */
export interface ClientResult {
  readonly toolCallId: string
  readonly content: string
  /** Why the tool failed. */
  readonly error?: string
  /** The client's id of its tool message; it goes on record. */
  readonly messageId?: string
}

/** @throws {@link AgentError} `invalid_request` naming the limit that the request exceeds */
export function requireClientRequest(request: ClientRequest): void {
  const { wire, messages = [], tools = [], context = [] } = request
  if (wire) requireId('run', wire.runId)
  requireLists({ messages, tools, context })
  requireAtMost('messages', messages.length, TURN_MESSAGES_MAX)
  requireMessages(messages)
  requireAtMost('tools', tools.length, CLIENT_TOOLS_MAX)
  for (const { name } of tools) requireToolName(name)
  requireAtMost('characters of tools', JSON.stringify(tools).length, CLIENT_TOOLS_CHARS_MAX)
  requireAtMost('entries of context', context.length, CLIENT_CONTEXT_MAX)
  const chars = context.reduce((sum, each) => sum + each.description.length + each.value.length, 0)
  requireAtMost('characters of context', chars, CLIENT_CONTEXT_CHARS_MAX)
}

/** A program without types may give anything, such as the messages of the AI SDK. */
function requireLists(given: Readonly<Record<string, unknown>>): void {
  for (const [name, list] of Object.entries(given)) {
    if (Array.isArray(list)) continue
    throw invalidRequest(`Cannot take the ${name}: they must be a list, and are ${kindOf(list)}`)
  }
}

const NO_TEXT =
  'Cannot take a message without a `text`: give { id, text }, or what the person says as `input`; ' +
  'the thread keeps the messages before it'

/** The same message again is the same message. */
function requireMessages(messages: readonly ClientMessage[]): void {
  const texts = new Map<string, string>()
  for (const { id, text, files = [] } of messages) {
    if (typeof text !== 'string') throw invalidRequest(NO_TEXT)
    requireId('message', id)
    const whole = files.length === 0 ? text : JSON.stringify([text, files])
    if ((texts.get(id) ?? whole) !== whole) throw twoMessages(id)
    texts.set(id, whole)
  }
}

function twoMessages(id: string): AgentError {
  const mend = 'give each message an id of its own'
  return invalidRequest(`Cannot take two messages under the id "${id}": ${mend}`)
}

export interface ClientAnswers {
  readonly answers: readonly InterruptAnswer[]
  readonly results: readonly ClientResult[]
}

/** @throws {@link AgentError} `invalid_request` */
export function requireAnswers(
  { answers, results }: ClientAnswers,
  messages: readonly ClientMessage[] = [],
): void {
  requireAtMost('answers', answers.length + results.length, CLIENT_ANSWERS_MAX)
  const taken = new Set(messages.map(({ id }) => id))
  for (const { messageId } of results) {
    if (messageId === undefined) continue
    requireId('message', messageId)
    if (taken.has(messageId)) throw twoMessages(messageId)
    taken.add(messageId)
  }
}

function requireToolName(name: string): void {
  if (isPlainName(name)) return
  const why = 'its name is not 1 to 64 letters, digits, "_" or "-"'
  throw invalidRequest(`Cannot offer the tool "${name.slice(0, 100)}": ${why}`)
}

function requireId(of: string, id: string): void {
  const isText = typeof id === 'string'
  if (isText && id !== '' && id.length <= CLIENT_ID_CHARS_MAX) return
  const has = isText ? `has ${id.length} characters` : `is ${kindOf(id)}`
  throw invalidRequest(
    `Cannot take the id of a ${of}: it ${has}, it must have 1 to ${CLIENT_ID_CHARS_MAX} characters`,
  )
}

function requireAtMost(what: string, count: number, max: number): void {
  if (count <= max) return
  throw invalidRequest(`Cannot take ${count} ${what}: at most ${max} are allowed`)
}

export function invalidRequest(message: string): AgentError {
  return new AgentError('invalid_request', message)
}

/** Without parts of a client, all turns of an agent share its offers. */
export function clientOffers(client: ClientRequest): { readonly client?: ClientRequest } {
  return client.tools || client.context || client.page ? { client } : {}
}

/** @throws {@link AgentError} `invalid_request` */
export function requireEvents(verb: 'ask' | 'propose', events: unknown): void {
  if (!Array.isArray(events)) {
    throw invalidRequest(
      `Cannot ${verb}: the events must be a list of { type, data }, not ${kindOf(events)}`,
    )
  }
  const unfit: unknown = events.find((event) => typeof event?.type !== 'string')
  if (unfit === undefined && !events.includes(undefined)) return
  const which = kindOf(unfit) === 'an object' ? 'has no text `type`' : `is ${kindOf(unfit)}`
  throw invalidRequest(`Cannot ${verb}: one of the events ${which}; give { type, data }`)
}
