import { approvalsOf, isSecondPerson, waitingIn } from '../../activity/index.ts'
import type { OpenApproval, Pauses, Wait, WaitingTurn } from '../../activity/index.ts'
import { quotedNames } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { AgentError } from '../define/agent-error.ts'
import type { Caller } from '../define/tool.ts'

/** The role that may decide about everything. */
export const OPERATOR = 'operator'

/** Why one person may not decide. */
export const SECOND_PERSON =
  'another person than the one who asked has to, and both have to be known by their actor'

/** Who answers. */
export interface Answerer {
  /** As an opaque id: it goes on record with the answers. */
  readonly actor?: string
  /** The role in which they answer; it goes on record. Without one, the program vouches for it. */
  readonly role?: string
  /** The application's own JSON about the request, for the tools that run then. It is not recorded. */
  readonly requestContext?: JsonObject
}

/** The approvals that values decide: those whose ids they name, or the only one of the run. */
export function decidedBy(pauses: Pauses, { run, values }: RunValues): readonly OpenApproval[] {
  const open = approvalsOf(pauses, run)
  const named = open.filter(({ wait }) => Object.hasOwn(values, wait.id))
  if (named.length > 0) return named
  return waitingIn(pauses, run) ? [] : open
}

/** Values for the open questions of a run. */
interface RunValues {
  readonly run: string
  readonly values: Readonly<Record<string, Json>>
}

/** @throws {@link AgentError} `wrong_role` when a known role, or the person, is none of those that decide */
export function requireApprover(waits: readonly Wait[], { role, actor }: Answerer): void {
  if (role === OPERATOR) return
  const own = waits.find((wait) => !isSecondPerson(wait, actor))
  if (own) {
    const message = `Cannot decide about "${own.toolName}": ${SECOND_PERSON}`
    throw new AgentError('wrong_role', message)
  }
  if (role === undefined) return
  const other = waits.find(({ by }) => !by?.includes(role))
  if (!other) return
  const message = `"${role}" may not decide about "${other.toolName}": only ${quotedNames(other.by ?? [])} may`
  throw new AgentError('wrong_role', message)
}

export function callerOf({ actor, role, requestContext: context = {} }: Answerer): Caller {
  return { ...(actor !== undefined && { actor }), ...(role !== undefined && { role }), context }
}

/** A turn goes on for the person who asked, with the context of the one who answers. */
export function goingOn(
  { surface }: Pick<WaitingTurn, 'surface'>,
  waits: readonly Wait[],
  { requestContext: context = {}, role, actor }: Answerer,
) {
  const asker = waits.find((wait) => wait.asker)?.asker
  return {
    caller: { ...asker, context },
    answerer: { ...(role !== undefined && { role }), ...(actor !== undefined && { actor }) },
    typed: true,
    // After a hand-off the surface is that of the turn, not of the agent.
    ...(surface === undefined ? {} : { surface }),
  }
}
