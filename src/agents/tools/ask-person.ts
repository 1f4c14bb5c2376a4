import type { StandardSchemaV1 } from '@standard-schema/spec'
import { explainIssues } from '../../domain/index.ts'
import { isJsonObject } from '../../json/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { Answered } from '../scope/scope.ts'
import { toolSchemaOf } from '../define/sdk-schema.ts'
import { Pause, jsonSchemaOf } from '../define/tool.ts'
import { jsonOf } from '../scope/tool-result.ts'
import type { RequestKeysOf } from '../define/tool.ts'

/** Reads what a person answered; throws a {@link Pause} until the answer fits the schema. */
export async function askPerson<Schema extends StandardSchemaV1>(
  values: Answered | undefined,
  schema: Schema,
  requestKeys: RequestKeysOf<Schema>,
): Promise<StandardSchemaV1.InferOutput<Schema>> {
  const words: Readonly<Record<string, string>> = { ...requestKeys }
  if (!values || !Object.keys(words).every((key) => Object.hasOwn(values, key))) {
    throw new Pause(words, described(schema))
  }
  const read = await schema['~standard'].validate(values)
  if (!read.issues) return read.value
  const again = Object.entries(words).map(([key, text]) => [
    key,
    withIssues(key, text, read.issues),
  ])
  throw new Pause(Object.fromEntries(again), described(schema))
}

function described(schema: StandardSchemaV1): JsonObject | undefined {
  const known = toolSchemaOf(schema)
  if (!known) return undefined
  try {
    const json = jsonOf(jsonSchemaOf(known))
    return isJsonObject(json) ? withoutDialect(json) : undefined
  } catch {
    // Some schemas read what JSON Schema has no words for, such as a date: the question needs none.
    return undefined
  }
}

function withoutDialect({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  return schema
}

/** Says beside the words for a value why it did not fit. */
function withIssues(key: string, words: string, issues: readonly StandardSchemaV1.Issue[]): string {
  const own = issues.filter(({ path: [first = key] = [] }) => {
    return String(typeof first === 'object' ? first.key : first) === key
  })
  return own.length === 0 ? words : `${words} (${explainIssues(own)})`
}
