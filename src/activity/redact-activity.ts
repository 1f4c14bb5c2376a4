import {
  REDACTED,
  isJsonArray,
  isJsonObject,
  keepOnly,
  membersOf,
  redactWhole,
} from '../json/index.ts'
import type { Json, KeptMembers } from '../json/index.ts'
import type { LogRecord, Origin } from '../log/index.ts'
import { isAgentEventType } from './agent-event.ts'
import type { AgentEventType } from './agent-event.ts'

type Rule = (value: Json) => Json

/** Ids, times, numbers and words of our own: a scalar, or a list of them. */
const kept: Rule = (value) => {
  const isScalar = (each: Json): boolean => typeof each !== 'object' || each === null
  return isScalar(value) || (isJsonArray(value) && value.every(isScalar))
    ? value
    : redactWhole(value)
}

/** A code such as `limit_steps`; programs and providers give texts in its place. */
const code: Rule = (value) =>
  typeof value === 'string' && /^[\w.:-]{1,64}$/.test(value) ? value : redactWhole(value)

/** Token counts and costs, and which model they are of. */
const usage: Rule = (value) => {
  if (isJsonArray(value)) return value.map(usage)
  if (!isJsonObject(value)) return typeof value === 'number' ? value : REDACTED
  const counts = Object.entries(value).flatMap(([name, given]) => {
    if (typeof given === 'number') return [[name, given]]
    return name === 'provider' || name === 'model' ? [[name, kept(given ?? null)]] : []
  })
  return Object.fromEntries(counts) as Json
}

/** The same for our own metadata of them. */
function ourRulesOf(name: Rule) {
  return {
    cut: kept,
    settles: kept,
    continued: kept,
    until: kept,
    again: kept,
    answeredAs: code,
    pending: kept,
    late: name,
    parentToolCallId: kept,
    clientWaits: kept,
    pendingToolCallIds: kept,
    code,
    error: code,
    failed: code,
    handoffTo: name,
    subagent: name,
    message: redactWhole,
  }
}

/** What may stay of the records of agents. A member that is not named here is left out. */
function rulesOf(name: Rule) {
  const text = redactWhole
  const ours = ourRulesOf(name)
  const every = {
    timestamp: kept,
    subagentRunId: kept,
    metadata: { stoppedBy: code, throughline: ours },
  }
  const run = { threadId: kept, runId: kept, parentRunId: kept, protocolVersion: kept, ...every }
  const message = { messageId: kept, role: code, ...every }
  const call = { toolCallId: kept, ...every }
  const subagent = { parentSubagentRunId: kept, parentToolCallId: kept, ...every }
  const step = { stepName: code, ...every }
  const interrupts = { id: kept, reason: code, message: text, toolCallId: kept, ...every }
  const outcome = { type: code, pendingToolCallIds: kept, interruptIds: kept, interrupts }
  const resume = { interruptId: kept, status: code }
  const nothing = { messages: text, tools: text, context: text, state: text }
  const input = { threadId: kept, runId: kept, resume, ...nothing }
  const activity = { messageId: kept, activityType: code, replace: kept, ...every }
  const delta = { delta: text }
  const started = { ...run, input, wire: { runId: kept, messages: kept } }
  return {
    TEXT_MESSAGE_START: message,
    TEXT_MESSAGE_CONTENT: { ...message, ...delta },
    TEXT_MESSAGE_END: message,
    TEXT_MESSAGE_CHUNK: { ...message, ...delta },
    TOOL_CALL_START: { ...call, toolCallName: name, parentMessageId: kept },
    TOOL_CALL_ARGS: { ...call, ...delta },
    TOOL_CALL_END: call,
    TOOL_CALL_CHUNK: { ...call, toolCallName: name, parentMessageId: kept, ...delta },
    TOOL_CALL_RESULT: { ...call, ...message, content: text },
    STATE_SNAPSHOT: { ...every, snapshot: text },
    STATE_DELTA: { ...every, ...delta },
    MESSAGES_SNAPSHOT: { ...every, messages: text },
    ACTIVITY_SNAPSHOT: { ...activity, content: { toolCallId: kept, output: text } },
    ACTIVITY_DELTA: { ...activity, patch: text },
    RAW: { ...every, event: text },
    CUSTOM: { ...every, name: text, value: text },
    RUN_STARTED: started,
    RUN_FINISHED: { ...run, outcome, usage, result: text },
    RUN_ERROR: { ...run, code, usage, message: text },
    STEP_STARTED: step,
    STEP_FINISHED: step,
    REASONING_START: message,
    REASONING_MESSAGE_START: message,
    REASONING_MESSAGE_CONTENT: { ...message, ...delta },
    REASONING_MESSAGE_END: message,
    REASONING_MESSAGE_CHUNK: { ...message, ...delta },
    REASONING_END: message,
    REASONING_ENCRYPTED_VALUE: { ...every, subtype: code, entityId: kept, encryptedValue: text },
    SUBAGENT_STARTED: { ...subagent, name, description: text },
    SUBAGENT_FINISHED: { ...subagent, outcome, result: text },
    SUBAGENT_ERROR: { ...subagent, code, message: text },
  } satisfies { readonly [Type in AgentEventType]: KeptMembers }
}

/** The same for the values of our own `CUSTOM` records, by their names; of others only the name stays. */
function customRulesOf(name: Rule): Readonly<Record<string, KeptMembers>> {
  return {
    request: { records: kept },
    wire_run: { runId: kept, turn: kept },
    cancel_requested: { run: kept, by: code },
    history_reset: {},
    effect_failed: { effect: name, code, attempt: kept, final: kept },
    program_asked: { runId: kept },
    program_question: { questionId: kept, isAnsweredByResult: kept, together: kept },
    wait_for_input: {
      id: kept,
      reason: code,
      toolCallId: kept,
      toolName: name,
      by: kept,
      fourEyes: kept,
    },
    model_output: {
      usage,
      reserved: usage,
      cost: kept,
      elapsedMs: kept,
      unreached: kept,
      toolCalls: kept,
      finishReason: code,
      error: code,
      text: redactWhole,
    },
  }
}

/**
 * Redacts what people typed and what models, tools and programs wrote: ids, times, usage, kinds and the known
 * names of agents and tools stay. Of a record that is none of agents nothing stays. Pure.
 */
export class ActivityRedaction {
  readonly #name: Rule
  readonly #rules: Readonly<Record<AgentEventType, KeptMembers>>
  readonly #custom: Readonly<Record<string, KeptMembers>>
  readonly #names: ReadonlySet<string>

  /** `names`: those that an application gives its agents, tools and effects. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names
    this.#name = (value) => (typeof value === 'string' && names.has(value) ? value : REDACTED)
    this.#rules = rulesOf(this.#name)
    this.#custom = customRulesOf(this.#name)
  }

  data({ type, data }: Pick<LogRecord, 'type' | 'data'>): Json {
    if (!isAgentEventType(type)) return redactWhole(data)
    return type === 'CUSTOM' ? this.#customData(data) : keepOnly(data, this.#rules[type])
  }

  /** A program names the agents below it as it likes. */
  origin(origin: Origin): Origin {
    const known = (each: string): string => (this.#names.has(each) ? each : REDACTED)
    const { agent, path } = origin
    return {
      ...origin,
      ...(agent !== undefined && { agent: known(agent) }),
      ...(path && { path: path.map(known) }),
    }
  }

  #customData(data: Json): Json {
    const given = membersOf(data)
    const redacted = membersOf(keepOnly(data, this.#rules.CUSTOM))
    const name = nameOf(given['name'])
    if (name === undefined) return redacted
    const rules = Object.hasOwn(this.#custom, name) ? this.#custom[name] : undefined
    const { value } = given
    const shown = rules && isJsonObject(value) ? { value: keepOnly(value, rules) } : {}
    return { ...redacted, name: `throughline.${name}`, ...shown }
  }
}

/** The name of a `CUSTOM` record of ours, or of an annotation; programs cannot give such a name. */
function nameOf(name: Json | undefined): string | undefined {
  const [, ours] = /^throughline\.([\w.-]{1,64})$/.exec(typeof name === 'string' ? name : '') ?? []
  return ours
}
