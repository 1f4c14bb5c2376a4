import { EventSchemas } from '@ag-ui/core/schemas'
import type { LogRecord } from '../log/index.ts'
import { membersOf } from '../json/index.ts'

/** An event in its form on the wire. */
export type WireEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** Returns the events that a producer streams: those of runs, without domain events and records between runs. */
export function wireEvents(records: readonly LogRecord[]): readonly WireEvent[] {
  return records
    .filter(({ type, origin }) => /^[A-Z_]+$/.test(type) && origin.run !== undefined)
    .map(({ type, data }) => {
      // The client's own name of the run is for our encoder alone.
      const members = Object.entries(membersOf(data)).filter(([name]) => name !== 'wire')
      return { ...Object.fromEntries(members), type }
    })
}

/** Returns the faults of an event by AG-UI's schemas, and its unknown members, which those let pass. */
export function schemaFaults(event: WireEvent): readonly string[] {
  const { error } = EventSchemas.safeParse(event)
  const faults = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  return [...faults, ...unknownMembers(nodeOf(EventSchemas), event, event.type)]
}

/** The members of a zod schema that a walk through it needs. */
interface SchemaNode {
  readonly def: {
    readonly type: string
    readonly catchall?: SchemaNode
    readonly innerType?: SchemaNode
    readonly element?: SchemaNode
    readonly options?: readonly SchemaNode[]
  }
  readonly shape?: Readonly<Record<string, SchemaNode>>
  readonly safeParse: (value: unknown) => { readonly success: boolean }
}

function nodeOf(schema: unknown): SchemaNode {
  // Every zod schema has these; zod's own types say more than a walk needs.
  return schema as SchemaNode
}

function unknownMembers(schema: SchemaNode, value: unknown, at: string): readonly string[] {
  const { def } = schema
  if (def.innerType) return unknownMembers(def.innerType, value, at)
  if (def.options) {
    const fitting = def.options.find((option) => option.safeParse(value).success)
    return fitting ? unknownMembers(fitting, value, at) : []
  }
  const { element } = def
  if (element) {
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    return items.flatMap((item, index) => unknownMembers(element, item, `${at}.${index}`))
  }
  const { shape } = schema
  if (!shape || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const known = shape[key]
    return known ? unknownMembers(known, member, `${at}.${key}`) : [`${at}.${key} is unknown`]
  })
}
