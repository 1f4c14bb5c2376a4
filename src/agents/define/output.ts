import { unusableAgent } from './agent-error.ts'
import { toolSchemaOf } from './sdk-schema.ts'
import type { InputOf, InputSchema, ToolSchema } from './sdk-schema.ts'

/** A further part of an agent that a model answers for. */
export interface OutputPart<Schema extends InputSchema = InputSchema> {
  /**
   * What its answer must be: an object that the model gives as JSON, checked and on record as the turn's
   * `output`. An answer that does not fit is asked for once more.
   */
  readonly output?: Schema
}

/** The type of what an agent answers. */
export type OutputOf<Schema> = [Schema] extends [never] ? undefined : InputOf<Schema>

/** The name of an agent and the type of its answers' `output`. */
export interface AnsweringAgent<Name extends string = string, Output = unknown> {
  readonly name: Name
  readonly output: Output
}

interface Given extends OutputPart {
  readonly name: string
  readonly surface?: string
  readonly program?: object
  readonly handoffs?: unknown
}

/** @throws {@link AgentError} `invalid_agent` */
export function outputOf({ name, output, surface, program, handoffs }: Given): {
  readonly output?: ToolSchema
} {
  if (output === undefined) return {}
  if (program) {
    throw unusableAgent(name, 'it has a program and an `output`, which only a model is asked for')
  }
  if (surface !== undefined) {
    const why = 'it has a surface, where people read text, and an `output`; take one out'
    throw unusableAgent(name, why)
  }
  if (handoffs !== undefined) {
    const why = 'it has handoffs, and who takes over would answer without it; take one out'
    throw unusableAgent(name, `it has an \`output\`, and ${why}`)
  }
  const schema = toolSchemaOf(output)
  if (!schema) throw unusableAgent(name, 'its output gives no JSON Schema; zod 4.2 does')
  return { output: schema }
}
