import type { RunAgentInput } from '@ag-ui/core'
import { RoleSchema, RunAgentInputSchema } from '@ag-ui/core/schemas'
import { stripperOf } from './known-members.ts'
import { WireError, malformed } from './wire-error.ts'

/** A request for a run in the protocol's form, and JSON pointers of the removed members. */
export interface EnforcedInput {
  readonly input: RunAgentInput
  readonly removed: readonly string[]
}

const strip = stripperOf(RunAgentInputSchema)

/**
 * Removes members that AG-UI 1.0 does not describe from a request for a run, and refuses members of a wrong type.
 * A message of an unknown role is refused too: what a person wrote must not get lost.
 *
 * @throws {@link WireError} `malformed`, naming the member
 */
export function enforceInput(given: unknown): EnforcedInput {
  const { value, removed } = strip(given)
  for (const at of removed) requireRole(at, given)
  const parsed = RunAgentInputSchema.safeParse(value)
  // The schema is what its TypeScript type is generated from.
  if (parsed.success) return { input: parsed.data as RunAgentInput, removed }
  throw malformed('the request for a run', parsed.error)
}

function requireRole(at: string, given: unknown): void {
  const [, index] = /^\/messages\/(\d+)$/.exec(at) ?? []
  if (index === undefined) return
  // The pointer was made from this list.
  const { messages } = given as { readonly messages: readonly { readonly role?: unknown }[] }
  const { role } = messages[Number(index)] ?? {}
  const what =
    typeof role === 'string' ? `the unknown role ${JSON.stringify(role.slice(0, 40))}` : 'no role'
  const known = RoleSchema.options.map((each) => `"${each}"`).join(', ')
  const detail = `Cannot read the request for a run: "messages.${index}" has ${what}; use one of ${known}`
  throw new WireError('malformed', detail)
}
