import { equalJson, isJsonArray, isJsonObject, ownMember, shortJson } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'

const SCHEMA_SHOWN_CHARS_MAX = 80
/** Changes that one comparison lists. */
const CHANGES_TOLD_MAX = 5

/** Bounds that take less the higher they are, and those that take less the lower they are. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** Keywords with a rule of their own; another one that is new or differs counts as a change. */
const COMPARED: ReadonlySet<string> = new Set([
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  'type',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'definitions',
])

/** A change, at a place relative to the schema that was compared. */
interface Change {
  readonly at: string
  readonly what: string
}

/**
 * Says why data of an older schema may not fit a newer one; nothing when all of it does. A new optional
 * member, one that is gone and was optional, another choice and a wider bound fit.
 */
export function schemaChanges(kept: Json, now: Json): readonly string[] {
  const changes = new Comparison(kept, now).between(kept, now)
  return changes.map(({ at, what }) => `${at === '' ? 'the data' : `"${at}"`} ${what}`)
}

/** The newer schema with the members that only the older one has: records may hold them. */
export function joinedSchema(kept: Json, now: Json): Json {
  if (!isJsonObject(kept) || !isJsonObject(now)) return now
  const [before, after] = [kept['properties'], now['properties']]
  if (!isJsonObject(before) || !isJsonObject(after)) return now
  const joined = Object.entries(after).map(([name, schema = null]): [string, Json] => {
    const known = ownMember(before, name)
    return [name, known === undefined ? schema : joinedSchema(known, schema)]
  })
  return { ...now, properties: { ...before, ...Object.fromEntries(joined) } }
}

/** Two schemas that are compared part by part; parts of them may refer to each other. */
class Comparison {
  readonly #kept: Json
  readonly #now: Json
  /** Pairs that were compared or are being compared: a schema may contain itself. */
  readonly #known = new Map<Json, Map<Json, readonly Change[]>>()

  constructor(kept: Json, now: Json) {
    this.#kept = kept
    this.#now = now
  }

  between(kept: Json, now: Json): readonly Change[] {
    const known = this.#known.get(kept) ?? new Map<Json, readonly Change[]>()
    this.#known.set(kept, known)
    const found = known.get(now)
    if (found) return found
    known.set(now, [])
    const changes = this.#compare(alternativesOf(kept, this.#kept), alternativesOf(now, this.#now))
    known.set(now, changes)
    return changes
  }

  #compare(before: readonly Json[], after: readonly Json[]): readonly Change[] {
    return before.flatMap((kept) => this.#covered(kept, after)).slice(0, CHANGES_TOLD_MAX)
  }

  /** One way that data could be must be within one way that it can be now. */
  #covered(kept: Json, after: readonly Json[]): readonly Change[] {
    const each = after.map((now) => this.#ofOne(kept, now))
    if (each.some((changes) => changes.length === 0)) return []
    const [only, ...others] = each.filter((_, at) => typeOf(after[at]) === typeOf(kept))
    if (only && others.length === 0) return only
    return [{ at: '', what: `was ${shown(kept)} and is ${after.map(shown).join(' or ')}` }]
  }

  #ofOne(kept: Json, now: Json): readonly Change[] {
    if (now === true || (isJsonObject(now) && Object.keys(now).length === 0)) return []
    if (!isJsonObject(kept) || !isJsonObject(now) || !isWithin(kept, now)) {
      return equalJson(kept, now) ? [] : [differs(kept, now)]
    }
    const branch = otherBranch(kept, now)
    if (branch) return [branch]
    return [
      ...changedBounds(kept, now),
      ...changedKeywords(kept, now),
      ...this.#members(kept, now),
      ...this.#items(kept, now),
    ]
  }

  #members(kept: JsonObject, now: JsonObject): readonly Change[] {
    const [before, after] = [membersOf(kept), membersOf(now)]
    const lost = namesIn(kept['required'])
      .filter((name) => !Object.hasOwn(after, name))
      .map((name) => ({ at: name, what: 'was required and is gone' }))
    const needed = namesIn(now['required'])
      .filter((name) => !namesIn(kept['required']).includes(name))
      .map((name) => ({
        at: name,
        what: Object.hasOwn(before, name) ? 'was optional and is required' : 'is new and required',
      }))
    const changed = Object.entries(before).flatMap(([name, member = true]) => {
      const same = ownMember(after, name)
      return same === undefined ? [] : within(name, this.between(member, same))
    })
    return [...lost, ...needed, ...changed, ...this.#others(kept, now)]
  }

  /** Members that are not named. */
  #others(kept: JsonObject, now: JsonObject): readonly Change[] {
    const { additionalProperties: before = true } = kept
    const { additionalProperties: after = true } = now
    if (typeOf(kept) !== 'object' || before === false) return []
    if (after === false) return [{ at: '', what: 'could have any member and cannot any more' }]
    return within('*', this.between(before, after))
  }

  #items(kept: JsonObject, now: JsonObject): readonly Change[] {
    const [before, after] = [kept['items'] ?? true, now['items'] ?? true]
    if (typeOf(kept) !== 'array') return []
    if (!isJsonArray(before) || !isJsonArray(after))
      return within('[]', this.between(before, after))
    if (before.length !== after.length) {
      return [{ at: '', what: `had ${before.length} items and has ${after.length}` }]
    }
    return before.flatMap((item, at) => within(`[${at}]`, this.between(item, after[at] ?? true)))
  }
}

/** The ways that data may be: what a schema refers to, each of its types and each of its choices. */
function alternativesOf(schema: Json, root: Json, met: readonly Json[] = []): readonly Json[] {
  if (!isJsonObject(schema) || met.includes(schema)) return [schema]
  const { $ref, anyOf, oneOf, enum: choices, type, ...rest } = schema
  const further = (each: Json) => alternativesOf(each, root, [...met, schema])
  if (typeof $ref === 'string') return further(referred($ref, root))
  const among = anyOf ?? oneOf
  if (isJsonArray(among)) return among.flatMap(further)
  if (isJsonArray(choices)) return choices.map((each) => ({ const: each }))
  if (isJsonArray(type)) return type.map((each) => ({ ...rest, type: each }))
  return [schema]
}

function referred(ref: string, root: Json): Json {
  const names = ref.split('/').slice(1)
  return names.reduce<Json>((at, escaped) => {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    return (isJsonObject(at) ? ownMember(at, name) : undefined) ?? true
  }, root)
}

function isWithin(kept: JsonObject, now: JsonObject): boolean {
  if (isConst(now)) return isConst(kept) && equalJson(kept['const'], now['const'])
  const [before, after] = [typeOf(kept), typeOf(now)]
  return after === undefined || before === after || (before === 'integer' && after === 'number')
}

/** A member that tells the branches of a union apart, which need not be compared any further. */
function otherBranch(kept: JsonObject, now: JsonObject): Change | undefined {
  const after = membersOf(now)
  for (const [name, member] of Object.entries(membersOf(kept))) {
    const other = ownMember(after, name)
    if (!isConst(member) || !isConst(other) || equalJson(member['const'], other['const'])) continue
    return { at: name, what: `was ${shown(member)} and is ${shown(other)}` }
  }
  return undefined
}

function isConst(schema: Json | undefined): schema is JsonObject {
  return isJsonObject(schema) && Object.hasOwn(schema, 'const')
}

/** The name of the type that a schema gives or its value has. */
function typeOf(schema: Json | undefined): string | undefined {
  if (!isJsonObject(schema)) return undefined
  const { const: value, type } = schema
  if (type !== undefined || value === undefined) return typeof type === 'string' ? type : undefined
  if (value === null) return 'null'
  if (Number.isInteger(value)) return 'integer'
  return isJsonArray(value) ? 'array' : typeof value
}

function changedBounds(kept: JsonObject, now: JsonObject): readonly Change[] {
  const tighter = (key: string, sign: number): boolean => {
    const [before, after] = [kept[key], now[key]]
    if (typeof after !== 'number') return false
    return typeof before !== 'number' || after * sign > before * sign
  }
  const changed = [
    ...LOWER_BOUNDS.filter((key) => tighter(key, 1)),
    ...UPPER_BOUNDS.filter((key) => tighter(key, -1)),
  ]
  return changed.map((key) => {
    const before = kept[key] === undefined ? 'none' : shown(kept[key])
    return { at: '', what: `had ${before} as its \`${key}\` and has ${shown(now[key] ?? null)}` }
  })
}

function changedKeywords(kept: JsonObject, now: JsonObject): readonly Change[] {
  const changed = Object.keys(now).filter(
    (key) => !COMPARED.has(key) && !equalJson(ownMember(kept, key), now[key]),
  )
  return changed.map((key) => ({ at: '', what: `has another \`${key}\`` }))
}

function membersOf(schema: JsonObject): JsonObject {
  const { properties } = schema
  return isJsonObject(properties) ? properties : {}
}

function namesIn(required: Json | undefined): readonly string[] {
  return isJsonArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function within(name: string, changes: readonly Change[]): readonly Change[] {
  return changes.map(({ at, what }) => {
    const isItem = at === '' || at.startsWith('[')
    return { at: isItem ? `${name}${at}` : `${name}.${at}`, what }
  })
}

function differs(kept: Json, now: Json): Change {
  return { at: '', what: `was ${shown(kept)} and is ${shown(now)}` }
}

/** A schema in one or a few words. */
function shown(schema: Json): string {
  if (!isJsonObject(schema)) return shortJson(schema, SCHEMA_SHOWN_CHARS_MAX)
  if (isConst(schema)) return shortJson(schema['const'] ?? null, SCHEMA_SHOWN_CHARS_MAX)
  return typeOf(schema) ?? shortJson(schema, SCHEMA_SHOWN_CHARS_MAX)
}
