import { explainIssues } from '../../domain/index.ts'
import { equalJson, thrownMessage } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import { FailedStep } from '../../step/index.ts'
import type { ToolSchema } from '../define/sdk-schema.ts'
import { valueJson } from '../define/value-json.ts'

/** Answers of one run that are checked against the `output` of its agent. */
export const OUTPUT_ATTEMPTS_MAX = 2

/** Not every provider passes the schema on to its model. */
export function withOutput(system: string, schema: JsonObject | undefined): string {
  if (!schema) return system
  const asked = `Your last answer must be JSON alone, which fits this JSON Schema: ${JSON.stringify(schema)}`
  return system === '' ? asked : `${system}\n\n${asked}`
}

export function jsonFormat(schema: JsonObject) {
  return { type: 'json' as const, name: 'output', schema }
}

export type OutputRead = { readonly output: Json } | { readonly fault: string }

/** Reads a model's answer as the output that its agent declares. */
export async function readOutput(text: string, schema: ToolSchema): Promise<OutputRead> {
  let given: unknown
  try {
    given = JSON.parse(withoutFence(text))
  } catch (error) {
    return { fault: `it is no JSON (${thrownMessage(error)})` }
  }
  const checked = await schema['~standard'].validate(given)
  if (checked.issues) return { fault: explainIssues(checked.issues) }
  const json = valueJson(checked.value)
  // It is JSON text that was just written.
  const output = json === undefined ? undefined : (JSON.parse(json) as Json)
  if (output === undefined || !equalJson(output, checked.value as Json)) {
    return { fault: 'the schema makes a value of it that JSON cannot hold' }
  }
  return { output }
}

/** Models without a mode for JSON put it into a block of Markdown. */
function withoutFence(text: string): string {
  const trimmed = text.trim()
  const firstLineEnd = trimmed.indexOf('\n')
  const isFenced = trimmed.startsWith(FENCE) && trimmed.endsWith(FENCE) && firstLineEnd >= 0
  return isFenced ? trimmed.slice(firstLineEnd, -FENCE.length) : trimmed
}

const FENCE = '```'

export function askedAgain(fault: string): string {
  return `[The answer does not fit: ${fault}. Answer again with JSON alone that fits the schema]`
}

export function invalidOutput(agent: string, fault: string): FailedStep {
  const why = `${OUTPUT_ATTEMPTS_MAX} answers did not fit its output, the last one because ${fault}`
  const message = `Cannot finish the run of "${agent}": ${why}`
  return new FailedStep({ code: 'invalid_output', message, retryable: false, retryAfterMs: 0 })
}
