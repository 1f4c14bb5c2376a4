import { quotedNames, unknownMember, whyNotAtOnce } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import { SOURCES } from '../log/index.ts'
import { DefinitionError } from './definition-error.ts'
import type { AnyEventType, Authority } from './event-type.ts'

const EVENT_PARTS: KnownMembers<AnyEventType<never>> = {
  schema: true,
  by: true,
  from: true,
  guard: true,
  complete: true,
  reduce: true,
  version: true,
  upcasts: true,
  personal: true,
}

/** Checks the parts of an event type: Node runs a program without checking its types. */
export function checkEventType(domain: string, type: string, entry: unknown): void {
  const given = (entry ?? {}) as Partial<AnyEventType<never>>
  const why = unknownMember(given, EVENT_PARTS) ?? whyUnfit(given)
  if (why === undefined) return
  throw new DefinitionError(
    'invalid_event',
    `Cannot define domain "${domain}": its event type "${type}" cannot be used: ${why}`,
  )
}

/** Checks the paths of personal data in a state. Which of them name something shows in the state alone. */
export function checkPersonal(domain: string, personal: unknown): void {
  if (personal === undefined || isPaths(personal)) return
  throw new DefinitionError(
    'invalid_personal',
    `Cannot define domain "${domain}": its \`personal\` must be a list of paths such as "contact.email"`,
  )
}

/** What a schema does not read holds no personal data, unless `complete` adds it: a misspelt name would leak. */
function whyNoPersonal({
  schema,
  complete,
  personal,
}: Partial<AnyEventType<never>>): string | undefined {
  if (personal === undefined) return undefined
  if (!isPaths(personal)) {
    return 'its `personal` must be a list of members such as "name" or "contact.email"'
  }
  const known = complete === undefined ? memberNamesOf(schema) : undefined
  const unknown = known && personal.find((path) => !known.some((name) => isWithin(path, name)))
  if (unknown === undefined) return undefined
  return `its \`personal\` names "${unknown}", which its schema does not: it has ${quotedNames(known ?? [])}`
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`)
}

/** The names of the members that a schema reads, where it gives a JSON Schema of one closed list. */
function memberNamesOf(schema: unknown): readonly string[] | undefined {
  const properties = propertiesOf(schema)
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : undefined
}

function propertiesOf(schema: unknown): unknown {
  const { '~standard': standard } = schema as { readonly '~standard': Partial<WithJsonSchema> }
  try {
    return standard.jsonSchema?.input({ target: 'draft-07' })['properties']
  } catch {
    // Some schemas read what JSON Schema has no words for.
    return undefined
  }
}

interface WithJsonSchema {
  readonly jsonSchema: {
    input(options: { readonly target: string }): Readonly<Record<string, unknown>>
  }
}

function isPaths(personal: unknown): boolean {
  return (
    Array.isArray(personal) && personal.every((path) => typeof path === 'string' && path !== '')
  )
}

const AUTHORITY_PARTS: KnownMembers<Authority<never, never>> = {
  source: true,
  surface: true,
  when: true,
}

function whyUnfit(entry: Partial<AnyEventType<never>>): string | undefined {
  const { schema, by, from, reduce } = entry
  if (typeof schema?.['~standard']?.validate !== 'function') {
    return 'it has no `schema`; give it one of zod, or another Standard Schema'
  }
  if (!Array.isArray(by) || !by.every(hasSource)) {
    return `its \`by\` must be a list of { source }, with one of ${quotedNames(Object.keys(SOURCES))}`
  }
  const misspelt = by.map((authority) => unknownMember(authority, AUTHORITY_PARTS)).find(Boolean)
  if (misspelt !== undefined) return `one of its \`by\`: ${misspelt}`
  const why = whyNoFrom(from)
  if (why !== undefined) return `its \`from\` ${why}`
  if (typeof reduce !== 'function') {
    return 'it has no function `reduce`; give it one that returns the next state'
  }
  return whyNoPersonal(entry) ?? whyNoUpcasts(entry) ?? whyLate(entry)
}

function whyNoUpcasts({
  version = 1,
  upcasts = [],
}: Partial<AnyEventType<never>>): string | undefined {
  if (!Array.isArray(upcasts) || !upcasts.every((each) => typeof each === 'function')) {
    return 'its `upcasts` must be a list of functions'
  }
  if (version === upcasts.length + 1) return undefined
  return (
    `its version ${version} needs ${version - 1} upcasts, one from each older version; ` +
    `it has ${upcasts.length}`
  )
}

/** The gate and the fold wait for nothing: what a function promises would come too late. */
function whyLate({
  guard,
  complete,
  reduce,
  by = [],
  upcasts = [],
}: Partial<AnyEventType<never>>): string | undefined {
  const functions: readonly (readonly [string, unknown])[] = [
    ...by.map(({ when }) => ['when', when] as const),
    ['guard', guard],
    ['complete', complete],
    ['reduce', reduce],
    ...upcasts.map((upcast) => ['upcasts', upcast] as const),
  ]
  const whys = functions.map(([part, given]) => whyNotAtOnce(part, given))
  return whys.find((why) => why !== undefined)
}

function whyNoFrom(from: unknown): string | undefined {
  if (from === undefined) return undefined
  if (typeof from !== 'object' || from === null || Array.isArray(from)) {
    return 'must name members of the state, such as { status: ["open", "held"] }'
  }
  const values = Object.entries(from).flatMap(([name, given]: [string, unknown]) =>
    Array.isArray(given) && given.length > 0
      ? given.map((value) => [name, value])
      : [[name, given]],
  )
  const unfit = values.find(([, value]) => typeof value === 'object' && value !== null)
  return unfit && `names no values that "${unfit[0]}" can be compared with`
}

function hasSource(authority: { readonly source?: string } | undefined): boolean {
  return Object.hasOwn(SOURCES, authority?.source ?? '')
}
