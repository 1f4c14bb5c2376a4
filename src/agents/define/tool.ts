import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isObjectMember } from '../../domain/index.ts'
import type { Refusal } from '../../domain/index.ts'
import type { ApprovalText } from '../../activity/index.ts'
import type { RefusedProposal } from '../../gate/index.ts'
import type { LogRecord, Person } from '../../log/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { InputOf, InputSchema, ToolSchema } from './sdk-schema.ts'

/** How long one call of a tool may take. */
export const TOOL_CALL_MAX_MS = 10 * 60_000
/** The longest result of a tool, in characters; the rest is cut off, with a mark for the model. */
export const TOOL_RESULT_CHARS_MAX = 100_000
/** Values that one call of a tool may show on the way to its result. */
export const TOOL_OUTPUTS_MAX = 1_000
/** The longest of them, in characters; the rest is cut off. */
export const TOOL_OUTPUT_CHARS_MAX = 20_000
/** Events that one call of a tool may propose. */
export const TOOL_PROPOSALS_MAX = 100

/** An event as a tool proposes it. */
export interface ToolProposal {
  readonly type: string
  readonly data: unknown
}

/** The outcomes of a tool's proposals; each is on record. */
export interface ProposalResult<State = unknown> {
  /** The records of the accepted events, in their order. */
  readonly accepted: readonly LogRecord[]
  /** The records of all events and of what the rules added: refused ones are `event_refused`. */
  readonly records: readonly LogRecord[]
  /** The refused events, in their order, with the reason of each; `refused` names the reason too. */
  readonly refused: readonly (Refusal & RefusedProposal)[]
  /** The state after the events and the rules. */
  readonly state: State
}

/** The members that the AI SDK gives to its tools; a tool of the AI SDK runs with them as it is. */
export interface SdkCallOptions {
  readonly toolCallId: string
  /** The conversation that led to the call, without the instructions. */
  readonly messages: LanguageModelV4Prompt
  /** The same as `signal`. */
  readonly abortSignal: AbortSignal
  /** The application's own JSON about the request, such as the claims of a session; it is not recorded. */
  readonly context: JsonObject
}

/** Who asked for the turn of a call, and with which context: of a call that waited, the answerer's. */
export interface Caller {
  /** An opaque id, as on record. */
  readonly actor?: string
  readonly role?: string
  readonly context: JsonObject
}

/** What a function that decides about a call is given besides its input. */
export type ApprovalOptions = Omit<SdkCallOptions, 'abortSignal'> & Caller

/** Who must agree to a call. The page that asked does not wait: its turn goes on without the result. */
export interface ApprovalRule<Input = unknown> {
  /** The role that decides, or several: the first answer counts. */
  readonly by: string | readonly string[]
  /** Whether the person who asked may not be the one who agrees; then both have to be known. */
  readonly fourEyes?: boolean
  /** Whether this call needs it; without it every call does. */
  readonly if?: (input: Input, options: ApprovalOptions) => boolean | PromiseLike<boolean>
}

/** The functions and data for a running tool. */
export interface ToolContext<State = unknown, Event extends ToolProposal = ToolProposal>
  extends SdkCallOptions, Caller {
  readonly context: JsonObject
  /** Who agreed to this call; absent where nobody was asked. */
  readonly approvedBy?: Person
  readonly thread: string
  readonly run: string
  readonly agent: string
  readonly depth: number
  /** The state of the thread's domain when the tool was called. */
  readonly state: State
  /** Aborted when the run is stopped or the call takes too long. */
  readonly signal: AbortSignal
  /** A person's answer to the pause of this call; absent until then. */
  readonly values?: Readonly<Record<string, Json>>
  /** Puts a value on the record, at once, as `tool_output`. */
  readonly progress: (value: unknown) => void
  /**
   * Proposes events in the name of the agent: what the tool `proposes` and what the agent `emits`. The domain
   * decides as for any proposal of a model; the agent's model reads of each refusal in its next call.
   *
   * Rejects once the call has ended, when its run is cancelled or has lost its thread, and with more than
   * {@link TOOL_PROPOSALS_MAX} events in one call of the tool: then nothing is recorded.
   */
  // A method, so that a tool which proposes any event fits an agent whose events are known.
  propose(this: void, events: readonly Event[]): Promise<ProposalResult<State>>
  /**
   * Stops the whole tree of agents to ask for values, each named with its question. Return its result from
   * the tool; after the answer, the tool is called again with `values`.
   */
  readonly pause: (requestKeys: Readonly<Record<string, string>>) => Pause
  /**
   * Asks a person for the values of a schema, each named with its question, and resolves with the parsed
   * answer. Until a valid answer exists, the call ends here as with `pause`: the tool must not catch the
   * rejection.
   */
  ask<Schema extends StandardSchemaV1>(
    this: void,
    schema: Schema,
    requestKeys: RequestKeysOf<Schema>,
  ): Promise<StandardSchemaV1.InferOutput<Schema>>
}

/** The words to ask with, for each value that a schema reads; optional values need no question. */
export type RequestKeysOf<Schema extends StandardSchemaV1> = {
  readonly [Key in keyof StandardSchemaV1.InferInput<Schema> as Key & string]: string
}

/**
 * A tool of an agent. Without `execute` it is the caller's own: the run stops until the caller gives the
 * result. An `execute` that yields has each value shown as it comes; the last one is the result.
 */
export interface Tool<
  Input = unknown,
  State = unknown,
  Event extends ToolProposal = ToolProposal,
  Type extends string = never,
> {
  readonly description?: string | ((options: Pick<SdkCallOptions, 'context'>) => string)
  readonly inputSchema: ToolSchema<Input>
  /**
   * Whether a person must agree before it runs: one on the page that asked, which waits for the answer, or
   * one of another role.
   */
  readonly needsApproval?: boolean | ApprovalRule<Input>['if'] | ApprovalRule<Input>
  /** Returns the text for the approving person, who otherwise sees the call itself. */
  readonly approval?: (input: Input) => ApprovalText
  /**
   * Event types that only this tool may propose. The model is not offered them, and its tags of these types
   * are refused: what `needsApproval` asks for then holds for each such event.
   */
  readonly proposes?: readonly Type[]
  readonly execute?: (input: Input, context: ToolContext<State, Event>) => unknown
}

/** Marks a tool's answer as a question; made by {@link ToolContext.pause}. */
export class Pause {
  readonly requestKeys: Readonly<Record<string, string>>
  /** The values as a JSON Schema, where there is one. */
  readonly schema: JsonObject | undefined

  constructor(requestKeys: Readonly<Record<string, string>>, schema?: JsonObject) {
    const lost = Object.keys(requestKeys).find((key) => isObjectMember(key))
    if (lost !== undefined) {
      const why = 'no answer can have it, since every object has a member of that name'
      throw new TypeError(`Cannot ask for "${lost}": ${why}; choose another name`)
    }
    this.requestKeys = requestKeys
    this.schema = schema
  }
}

/** A tool as it is written down: its functions are typed by its schema. The AI SDK's own `tool()` gives one. */
export type ToolParts<
  Schema extends InputSchema,
  State = unknown,
  Event extends ToolProposal = ToolProposal,
  Type extends string = Event['type'],
> = {
  readonly inputSchema: Schema
} & Omit<Tool<InputOf<Schema>, State, Event, Type>, 'inputSchema'>

/**
 * Types a tool by its schema. Annotate the context with `ToolContext<State>` to read the state.
 *
 * @example
 * const add = tool({
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   execute: ({ a, b }) => a + b,
 * })
 */
export function tool<
  Schema extends InputSchema,
  State = unknown,
  const Type extends string = never,
>(parts: ToolParts<Schema, State, ToolProposal, Type>): Tool<unknown, State, ToolProposal, Type> {
  // `execute` only gets input that has passed this tool's own schema, so the types may be erased.
  return parts as unknown as Tool<unknown, State, ToolProposal, Type>
}

/** The description of a tool's input for a model. */
export function jsonSchemaOf(schema: ToolSchema): Readonly<Record<string, unknown>> {
  return schema['~standard'].jsonSchema.input({ target: 'draft-07' })
}
