import type { Interrupt, RunFinishedOutcome } from '@ag-ui/core'
import { isJsonArray, isJsonObject } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { sha256 } from '../../platform/index.ts'

/** The member of an interrupt's metadata without which TanStack AI's client refuses to answer it. */
const BINDING = 'tanstack:interruptBinding'

/** Binds the questions of an outcome to the run that ends with them, by the name that its reader gives it. */
export function boundOutcome(outcome: RunFinishedOutcome, runId: string): RunFinishedOutcome {
  if (outcome.type !== 'interrupt') return outcome
  return { ...outcome, interrupts: outcome.interrupts.map((each) => bound(each, runId)) }
}

function bound(interrupt: Interrupt, interruptedRunId: string): Interrupt {
  const { id: interruptId, responseSchema } = interrupt
  // A role that may not see a question cannot answer it.
  if (responseSchema === undefined) return interrupt
  // It is JSON: a JSON Schema.
  const schema = canonical(responseSchema as Json)
  const responseSchemaHash = `sha256:${sha256(schema)}`
  const named = { interruptId, interruptedRunId, generation: 0, responseSchemaHash }
  const binding = { v: 1, kind: 'generic', ...named }
  return { ...interrupt, metadata: { ...interrupt.metadata, [BINDING]: binding } }
}

/** JSON with the members of each object by their names. */
function canonical(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  const texts = members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${texts.join(',')}}`
}
