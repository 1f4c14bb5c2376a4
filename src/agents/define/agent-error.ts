import { ThroughlineError } from '../../assert/index.ts'
import { quotedNames } from '../../json/index.ts'

export type AgentErrorCode =
  | 'invalid_agent'
  | 'unknown_agent'
  | 'waiting_for_input'
  | 'not_waiting'
  | 'invalid_values'
  | 'wrong_role'
  | 'invalid_request'
  | 'unsupported_content'

/** An agent that cannot be defined, or a request about its runs that cannot be met. */
export class AgentError extends ThroughlineError<AgentErrorCode> {
  override readonly name = 'AgentError'
  /** The message for readers that may not see all records: it repeats nothing of a record. */
  readonly discreet: string

  constructor(
    code: AgentErrorCode,
    message: string,
    { discreet = message, ...options }: ErrorOptions & { readonly discreet?: string } = {},
  ) {
    super(code, message, options)
    this.discreet = discreet
  }
}

export function undefinable(agent: string, why: string): AgentError {
  return new AgentError('invalid_agent', `Cannot define agent "${agent}": ${why}`)
}

export function unusableAgent(agent: string, why: string, options?: ErrorOptions): AgentError {
  return new AgentError('invalid_agent', `Cannot use agent "${agent}": ${why}`, options)
}

export function sameName(name: string): AgentError {
  return new AgentError('invalid_agent', `Cannot use two agents called "${name}": name one anew`)
}

export function unknownAgent(
  verb: 'ask' | 'resume',
  name: string,
  agents: readonly { readonly name: string }[],
): AgentError {
  const known = quotedNames(agents.map((agent) => agent.name)) || 'none'
  return new AgentError('unknown_agent', `Cannot ${verb} "${name}": the agents are ${known}`)
}
