import type { AGUIEvent } from '@ag-ui/core'
import { EventSchema } from '@ag-ui/core/schemas'
import type { z } from 'zod/v4'
import { stripperOf } from './known-members.ts'
import type { Stripped } from './known-members.ts'
import { WireError, malformed } from './wire-error.ts'

/** An event in the protocol's form, and JSON pointers of the unknown members that were removed. */
export interface Enforced {
  /** Absent when the protocol knows no event of this type. */
  readonly event?: AGUIEvent
  readonly removed: readonly string[]
}

interface Check {
  readonly schema: z.ZodType
  readonly strip: (value: unknown) => Stripped
}

const checks = new Map<unknown, Check>(
  EventSchema.options.map((schema) => [
    [...schema.shape.type._zod.values][0],
    { schema, strip: stripperOf(schema) },
  ]),
)

/**
 * Removes members that AG-UI 1.0 does not describe from an event, and refuses members of a wrong type.
 *
 * @throws {@link WireError} `malformed`, naming the member
 */
export function enforceEvent(given: unknown): Enforced {
  const type = typeOf(given)
  const check = checks.get(type)
  if (!check) return { removed: ['/type'] }
  const { value, removed } = check.strip(given)
  const parsed = check.schema.safeParse(value)
  if (parsed.success) {
    // The schema of an event type is what its TypeScript type is generated from.
    return { event: parsed.data as AGUIEvent, removed }
  }
  throw malformed(type, parsed.error)
}

function typeOf(given: unknown): string {
  const type =
    typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined
  if (typeof type === 'string') return type
  throw new WireError('malformed', 'Cannot read an event: it is no object with a "type"')
}
