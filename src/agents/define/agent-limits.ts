import { unknownMember } from '../../json/index.ts'
import { OUTPUT_TOKENS_MAX } from '../../models/index.ts'
import { undefinable } from './agent-error.ts'
import { TOOL_RESULT_CHARS_MAX } from './tool.ts'

/** The budget of an agent; an absent limit is that of {@link AGENT_LIMITS}. */
export interface AgentLimits {
  /** Model calls in one run. */
  readonly steps: number
  /** Levels of sub-agents below this one. */
  readonly depth: number
  /** Hand-offs one after the other in one turn. */
  readonly handoffs: number
  /** Tool calls in one run. */
  readonly toolCalls: number
  /** Tokens that one model call may give; always sent to the provider. */
  readonly outputTokens: number
  /** Milliseconds that one model call may take; how long it may be silent is bounded anyway. */
  readonly callMs: number
  /** Characters of one tool's result that the model is given. */
  readonly resultChars: number
  /** Characters of history that one model call is given; older messages are summed up before that. */
  readonly historyChars: number
  /** Tokens that one run and all below it may use, reserved before each model call. */
  readonly tokens: number
  /** The most that one run and all below it may cost, in the currency of the prices. */
  readonly cost: number
}

export const AGENT_LIMITS: AgentLimits = {
  steps: 25,
  depth: 8,
  handoffs: 8,
  toolCalls: 100,
  outputTokens: OUTPUT_TOKENS_MAX,
  callMs: Number.POSITIVE_INFINITY,
  resultChars: TOOL_RESULT_CHARS_MAX,
  historyChars: 200_000,
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
}

/** @throws {@link AgentError} `invalid_agent` */
export function limitsOf(agent: string, given: Partial<AgentLimits> = {}): AgentLimits {
  const unknown = unknownMember(given, AGENT_LIMITS)
  if (unknown !== undefined) throw undefinable(agent, `its \`limits\`: ${unknown}`)
  for (const [limit, value] of Object.entries(given)) {
    if (!(value >= 0))
      throw undefinable(agent, `its limit "${limit}" is ${value}, not a number ≥ 0`)
  }
  return { ...AGENT_LIMITS, ...given }
}
