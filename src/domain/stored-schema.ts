import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { isJson, isJsonArray, isJsonObject } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'

/** They say nothing about the shape of data, or change with a release of the library that writes them. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
])

/** Their members are schemas by names that the program chose. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions'])
/** Their values are data. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'required'])

/** The JSON Schema of the data that a type's schema gives, reduced to its shape; nothing where there is none. */
export function storedSchema(schema: StandardSchemaV1): Json | undefined {
  const given = writtenSchema(schema)
  return isJson(given) ? shapeOf(given) : undefined
}

function writtenSchema({ '~standard': standard }: StandardSchemaV1): unknown {
  const { jsonSchema }: Partial<StandardJSONSchemaV1.Props> = standard
  try {
    const written: unknown = jsonSchema?.output({ target: 'draft-07' })
    // Some libraries keep more beside the members that JSON carries.
    return written === undefined ? undefined : JSON.parse(JSON.stringify(written))
  } catch {
    // Some schemas give what JSON Schema has no words for.
    return undefined
  }
}

function shapeOf(schema: Json): Json {
  if (isJsonArray(schema)) return schema.map(shapeOf)
  if (!isJsonObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key]) => !LEFT_OUT.has(key))
  return Object.fromEntries(kept.map(([key, value = null]) => [key, shapeUnder(key, value)]))
}

function shapeUnder(key: string, value: Json): Json {
  if (DATA.has(key)) return value
  if (NAMED.has(key) && isJsonObject(value)) return shapesOf(value)
  return shapeOf(value)
}

function shapesOf(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema = null]) => [name, shapeOf(schema)]),
  )
}
