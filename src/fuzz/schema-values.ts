import type * as FastCheck from 'fast-check'
import { isJsonArray, isJsonObject } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'

export type Check = typeof FastCheck
type Values = FastCheck.Arbitrary<unknown>

/** Objects and lists inside one another in generated data. */
export const GENERATED_DEPTH_MAX = 6
const ITEMS_MOST = 4

/** Texts that have broken parsers, pages and spreadsheets. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '0',
  'null',
  '__proto__',
  '=1+1',
  '\u202E',
  "' OR 1=1 --",
  '</script><script>alert(1)</script>',
  `<agent-event type="x" data='{}' />`,
  'x'.repeat(400),
]

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: ['ann@example.com'],
  uuid: ['00000000-0000-4000-8000-000000000000'],
  uri: ['https://example.com/a?b=1'],
  date: ['1984-03-02', '2028-02-29'],
  'date-time': ['2026-11-22T10:30:00.000Z'],
  time: ['10:30:00'],
}

/** Makes data out of JSON Schemas: what fits, its limits, and now and then what does not fit. */
export class SchemaValues {
  readonly #fc: Check

  constructor(fc: Check) {
    this.#fc = fc
  }

  /** Of a schema. `definitions` holds what its references name. */
  of(schema: Json, definitions: JsonObject = definitionsOf(schema), depth = 0): Values {
    const { oneof } = this.#fc
    const fitting = this.#fitting(schema, definitions, depth)
    return oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: this.anything() })
  }

  /** What no schema asked for. */
  anything(): Values {
    const { constantFrom, oneof } = this.#fc
    return oneof(constantFrom(null, -1, 0, 1e308, true), this.text(), constantFrom([], {}))
  }

  text(): Values {
    return this.#fc.constantFrom(...HOSTILE_TEXTS, 'Ann', '1 High Street', 'SW1A 1AA')
  }

  #fitting(schema: Json, definitions: JsonObject, depth: number): Values {
    const { constant, constantFrom, oneof } = this.#fc
    if (!isJsonObject(schema) || depth > GENERATED_DEPTH_MAX) return this.anything()
    const { const: only, enum: some, $ref: ref, anyOf, oneOf = anyOf, allOf } = schema
    if (only !== undefined) return constant(only)
    if (isJsonArray(some ?? null) && (some as readonly Json[]).length > 0)
      return constantFrom(...(some as readonly Json[]))
    if (typeof ref === 'string') {
      const named = definitions[ref.split('/').at(-1) ?? '']
      return this.#fitting(named ?? {}, definitions, depth + 1)
    }
    const choices = [oneOf, allOf].find((each) => isJsonArray(each ?? null))
    if (choices) {
      const each = (choices as readonly Json[]).map((one) => this.of(one, definitions, depth + 1))
      return oneof(...each)
    }
    return this.#ofType(schema, definitions, depth)
  }

  #ofType(schema: JsonObject, definitions: JsonObject, depth: number): Values {
    const { boolean, constant, constantFrom, array } = this.#fc
    const { type, items = {}, maxItems, minItems } = schema
    switch (isJsonArray(type ?? null) ? (type as readonly Json[])[0] : type) {
      case 'object':
        return this.#object(schema, definitions, depth)
      case 'array': {
        const maxLength = Math.min(ITEMS_MOST, numberOr(maxItems, ITEMS_MOST))
        const minLength = Math.min(maxLength, numberOr(minItems, 0))
        return array(this.of(items, definitions, depth + 1), { minLength, maxLength })
      }
      case 'number':
      case 'integer':
        return this.#number(schema)
      case 'boolean':
        return boolean()
      case 'null':
        return constant(null)
      case 'string':
        return this.#text(schema)
      default:
        return constantFrom(null, 0, '', 'x', {}, [])
    }
  }

  #object(schema: JsonObject, definitions: JsonObject, depth: number): Values {
    const { constantFrom, dictionary, oneof, record } = this.#fc
    const { properties = {}, required = [], additionalProperties } = schema
    const members = Object.entries(isJsonObject(properties) ? properties : {})
    const made = Object.fromEntries(
      members.map(([name, each]) => [name, this.of(each ?? {}, definitions, depth + 1)]),
    )
    const needed = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : []
    const own = record(made, { requiredKeys: needed.filter((name) => Object.hasOwn(made, name)) })
    const isMap = members.length === 0 && isJsonObject(additionalProperties ?? null)
    if (isMap) {
      const names = constantFrom('a', 'b', 'constructor', 'toString')
      return dictionary(names, this.of(additionalProperties ?? {}, definitions, depth + 1), {
        maxKeys: ITEMS_MOST,
      })
    }
    const more = constantFrom('constructor', 'toString', 'status', 'x')
    const beyond = own.chain((held) => more.map((name) => ({ ...held, [name]: true })))
    return oneof({ weight: 15, arbitrary: own }, { weight: 1, arbitrary: beyond })
  }

  #number(schema: JsonObject): Values {
    const { constantFrom, double, integer, oneof } = this.#fc
    const isWhole = schema['type'] === 'integer'
    const step = isWhole ? 1 : 0.01
    const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema
    const from = numberOr(minimum, numberOr(exclusiveMinimum, -1 - step) + step)
    const to = Math.max(
      from,
      numberOr(maximum, numberOr(exclusiveMaximum, 1_000_000 + step) - step),
    )
    const edges = constantFrom(from, to, Math.min(to, Math.max(from, 0)), Math.min(to, from + step))
    const least = Math.max(from, Number.MIN_SAFE_INTEGER)
    const most = Math.min(to, Number.MAX_SAFE_INTEGER)
    const between = isWhole
      ? integer({
          min: Math.ceil(Math.max(least, -(2 ** 31))),
          max: Math.floor(Math.min(most, 2 ** 31 - 1)),
        })
      : double({ min: least, max: most, noNaN: true })
    return oneof(edges, between)
  }

  #text({ format, pattern, minLength, maxLength }: JsonObject): Values {
    const { constantFrom, oneof, string, stringMatching } = this.#fc
    const known = typeof format === 'string' ? FORMATS[format] : undefined
    if (known) return constantFrom(...known)
    const matching = typeof pattern === 'string' ? regExpOf(pattern) : undefined
    if (matching) return stringMatching(matching)
    const least = numberOr(minLength, 0)
    const most = Math.max(least, Math.min(numberOr(maxLength, 40), least + 40))
    const fits = HOSTILE_TEXTS.filter(({ length }) => length >= least && length <= most)
    const free = string({ minLength: least, maxLength: most })
    return fits.length > 0 ? oneof(free, constantFrom(...fits)) : free
  }
}

function definitionsOf(schema: Json): JsonObject {
  if (!isJsonObject(schema)) return {}
  const { $defs = {}, definitions = $defs } = schema
  return isJsonObject(definitions) ? definitions : {}
}

function numberOr(given: Json | undefined, other: number): number {
  return typeof given === 'number' ? given : other
}

/** A schema may use what only other engines know. */
function regExpOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern)
  } catch {
    return undefined
  }
}
