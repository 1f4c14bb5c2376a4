import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { Json } from '../json/index.ts'

/** How long one call of a tool may take. */
export const TOOL_CALL_MAX_MS = 10 * 60_000
/** The longest result of a tool, in characters; the rest is cut off, and the model is told so. */
export const TOOL_RESULT_CHARS_MAX = 100_000
/** Lines and results on the way that one call of a tool may give. */
export const TOOL_OUTPUTS_MAX = 1_000
/** The longest of them, in characters; the rest is cut off. */
export const TOOL_OUTPUT_CHARS_MAX = 20_000

/** A schema that can check a value and describe itself to a model: zod 4 and others of Standard Schema. */
export type ToolSchema<Input = unknown> = StandardSchemaV1<unknown, Input> & StandardJSONSchemaV1

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly toolCallId: string
  readonly thread: string
  readonly run: string
  readonly agent: string
  readonly depth: number
  /** Aborted when the run is stopped or the call takes too long. */
  readonly abortSignal: AbortSignal
  /** What a person answered when this call paused; absent until then. */
  readonly values?: Readonly<Record<string, Json>>
  /** Puts a line on the record, at once, as `tool_output`. */
  readonly log: (line: string) => void
  /**
   * Stops the whole tree of agents to ask for values, each named with the words to ask with. Return what
   * it gives; once somebody has answered, the tool is called again with `values`.
   */
  readonly pause: (requestKeys: Readonly<Record<string, string>>) => Pause
}

/**
 * A tool of an agent. Without `execute` it is the caller's own: the run stops until the caller gives the
 * result. An `execute` that yields has each value shown as it comes; the last one is the result.
 */
export interface Tool<Input = unknown> {
  readonly description?: string
  readonly inputSchema: ToolSchema<Input>
  /** Whether a person must agree before it runs. */
  readonly needsApproval?: boolean | ((input: Input) => boolean | Promise<boolean>)
  readonly execute?: (input: Input, context: ToolContext) => unknown
}

/** Marks a tool's answer as a question; made by {@link ToolContext.pause}. */
export class Pause {
  readonly requestKeys: Readonly<Record<string, string>>

  constructor(requestKeys: Readonly<Record<string, string>>) {
    this.requestKeys = requestKeys
  }
}

/** A tool as it is written down: its functions are typed by its schema. */
export type ToolParts<Schema extends ToolSchema> = { readonly inputSchema: Schema } & Omit<
  Tool<StandardSchemaV1.InferOutput<Schema>>,
  'inputSchema'
>

/**
 * Types a tool by its schema.
 *
 * @example
 * const add = tool({
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 * })
 */
export function tool<Schema extends ToolSchema>(parts: ToolParts<Schema>): Tool {
  // What reaches `execute` has passed this tool's own schema.
  return parts as unknown as Tool
}

/** What a model is told of a tool's input. */
export function jsonSchemaOf(schema: ToolSchema): Readonly<Record<string, unknown>> {
  return schema['~standard'].jsonSchema.input({ target: 'draft-07' })
}
