import { ProblemError } from 'throughline/server'
import { startOf } from 'throughline/client'
import type { DocumentHead } from '../documents/index.ts'
import { LEAD_NAME } from '../events/index.ts'

export const NAME_CHARS_MAX = 200

const NOBODY = 'Human'

export interface Speaker {
  /** The name that a request gives. */
  readonly given?: string | undefined
  /** The person who is signed in, where the server knows people apart. */
  readonly actor?: string | undefined
}

/**
 * The name that a person's message is said under. Nobody speaks under the name of an agent.
 *
 * @throws {@link ProblemError} 400 where the request gives such a name
 */
export function speakerName({ given, actor }: Speaker, documents: readonly DocumentHead[]): string {
  const isFree = (name: string) => !isLead(name) && !agentNamed(name, documents)
  if (actor !== undefined && isFree(actor)) return startOf(actor, NAME_CHARS_MAX)
  if (actor !== undefined || given === undefined) return NOBODY
  if (isFree(given)) return given
  throw unusable(`"${given}" is the name of an agent`)
}

/**
 * The agent that a message goes to; null for the lead.
 *
 * @throws {@link ProblemError} 400 for a name that no agent has
 */
export function requireAgent(name: string, documents: readonly DocumentHead[]): string | null {
  if (isLead(name)) return null
  const agent = agentNamed(name, documents)
  if (agent === undefined) throw unusable(`no agent is called "${name}"`)
  return agent
}

function agentNamed(name: string, documents: readonly DocumentHead[]): string | undefined {
  return documents
    .flatMap((each) => (each.type === 'agent-identity' ? [each.name] : []))
    .find((known) => isSame(known, name))
}

function isLead(name: string): boolean {
  return isSame(name, LEAD_NAME)
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

function unusable(why: string): ProblemError {
  return new ProblemError('invalid_body', 400, { detail: `Cannot send this: ${why}` })
}
