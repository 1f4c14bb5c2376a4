import { z } from 'zod/v4'

/** Which members a schema describes, with what lies below them. */
type Known =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'object'; readonly open: boolean; readonly members: Map<string, Member> }
  | { readonly kind: 'list'; readonly element: () => Known }
  | { readonly kind: 'tagged'; readonly tag: string; readonly variants: Map<unknown, Known> }
  | { readonly kind: 'either'; readonly list: Known; readonly object: Known }

interface Member {
  readonly known: Known
  readonly isOptional: boolean
}

/** A value without what its schema does not describe, and where that stood, as JSON pointers. */
export interface Stripped {
  readonly value: unknown
  readonly removed: readonly string[]
}

/** The replacement for a value whose variant the protocol does not know. */
const UNKNOWN_VARIANT = Symbol('unknown variant')

/**
 * Returns a function that removes what a schema does not describe: members, and variants of a union. What is
 * described and wrong stays, for the schema to refuse.
 */
export function stripperOf(schema: z.ZodType): (value: unknown) => Stripped {
  const known = knownBy(schema)
  return (value) => {
    const removed: string[] = []
    return { value: strip(value, known, { at: '', removed }), removed }
  }
}

interface Place {
  readonly at: string
  readonly removed: string[]
}

function strip(value: unknown, known: Known, place: Place): unknown {
  if (known.kind === 'leaf' || typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  if (known.kind === 'either') return strip(value, isList ? known.list : known.object, place)
  if (known.kind === 'list') return isList ? stripList(value, known.element(), place) : value
  if (isList) return value
  const object = value as Members
  if (known.kind === 'object') return stripObject(object, known, place)
  const variant = known.variants.get(object[known.tag])
  return variant ? strip(object, variant, place) : UNKNOWN_VARIANT
}

function stripList(values: readonly unknown[], element: Known, { at, removed }: Place): unknown {
  if (element.kind === 'leaf') return values
  return values.flatMap((value, index) => {
    const place = { at: `${at}/${index}`, removed }
    const found = removed.length
    const kept = strip(value, element, place)
    if (kept !== UNKNOWN_VARIANT) return [kept]
    removed.length = found
    removed.push(place.at)
    return []
  })
}

type Members = Readonly<Record<string, unknown>>

/** Copies the object only once a member has to go, or one below it changed. */
function stripObject(
  value: Members,
  known: Extract<Known, { kind: 'object' }>,
  { at, removed }: Place,
): unknown {
  let kept: Record<string, unknown> | undefined
  for (const [key, inner] of Object.entries(value)) {
    const member = known.members.get(key)
    if (!member && known.open) continue
    const place = { at: `${at}/${key}`, removed }
    const found = removed.length
    const left = member ? strip(inner, member.known, place) : UNKNOWN_VARIANT
    if (left === inner) continue
    // A required member of an unknown kind takes the object along: without it, it would be malformed.
    if (left === UNKNOWN_VARIANT && member && !member.isOptional) return UNKNOWN_VARIANT
    kept ??= { ...value }
    if (left !== UNKNOWN_VARIANT) {
      kept[key] = left
      continue
    }
    removed.length = found
    removed.push(place.at)
    delete kept[key]
  }
  return kept ?? value
}

const LEAF: Known = { kind: 'leaf' }
const found = new WeakMap<z.core.$ZodType, Known>()

function knownBy(given: z.core.$ZodType): Known {
  const kept = found.get(given)
  if (kept) return kept
  const known = read(given)
  found.set(given, known)
  return known
}

function read(given: z.core.$ZodType): Known {
  if (given instanceof z.core.$ZodObject) return objectMembers(given)
  if (given instanceof z.core.$ZodUnion) return variantsOf(given._zod.def)
  if (given instanceof z.core.$ZodLazy) return knownBy(given._zod.def.getter())
  if (given instanceof z.core.$ZodArray) {
    const { element } = given._zod.def
    return { kind: 'list', element: () => knownBy(element) }
  }
  const isWrapped = given instanceof z.core.$ZodOptional || given instanceof z.core.$ZodNullable
  return isWrapped ? knownBy(given._zod.def.innerType) : LEAF
}

function objectMembers(schema: z.core.$ZodObject): Known {
  const members = Object.entries(schema._zod.def.shape).map(([key, member]): [string, Member] => [
    key,
    { known: knownBy(member), isOptional: member._zod.optin === 'optional' },
  ])
  // The generated schemas mark the objects that the protocol leaves open: operations of a JSON patch.
  const open = z.globalRegistry.get(schema)?.['specOpen'] === true
  return { kind: 'object', open, members: new Map(members) }
}

function variantsOf(def: z.core.$ZodUnionDef): Known {
  const { options } = def
  const tag = 'discriminator' in def ? def.discriminator : undefined
  if (typeof tag !== 'string') {
    const shapes = options.map(knownBy)
    return {
      kind: 'either',
      list: shapes.find(({ kind }) => kind === 'list') ?? LEAF,
      object: shapes.find(({ kind }) => kind === 'object' || kind === 'tagged') ?? LEAF,
    }
  }
  const variants = options.map((option): [unknown, Known] => [
    literalOf((option as z.core.$ZodObject)._zod.def.shape[tag]),
    knownBy(option),
  ])
  return { kind: 'tagged', tag, variants: new Map(variants) }
}

function literalOf(schema: z.core.$ZodType | undefined): unknown {
  return [...(schema?._zod.values ?? [])][0]
}
