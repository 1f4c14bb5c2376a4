import {
  DefinitionError,
  PLAIN_NAME,
  hasLostMember,
  isObjectMember,
  isPlainName,
} from '../../domain/index.ts'
import type { Domain, EventEntries, ProposalOf } from '../../domain/index.ts'
import { undefinable } from './agent-error.ts'
import { limitsOf } from './agent-limits.ts'
import type { AgentLimits } from './agent-limits.ts'
import { isAgent, whyUnfitFunction, whyUnfitTool } from './functions.ts'
import type { AgentFunctions } from './functions.ts'
import type { LanguageModel } from '../../models/index.ts'
import { whyNoApproval } from './approval-rule.ts'
import { whyNoMind } from './mind.ts'
import type { Program } from './program.ts'
import { misshapenMember, misspeltMember, shortJson, unknownMember } from '../../json/index.ts'
import type { Json, KnownMembers } from '../../json/index.ts'
import { toolSchemaOf } from './sdk-schema.ts'
import { modelPartsOf } from './model-parts.ts'
import type { ProviderOptions } from './model-parts.ts'
import { outputOf } from './output.ts'
import type { AnsweringAgent, OutputOf, OutputPart } from './output.ts'
import type { InputSchema, ToolSchema } from './sdk-schema.ts'
import type { Caller, Tool, ToolParts } from './tool.ts'

/** The longest part of an event's data that a default note repeats. */
export const NOTE_DATA_CHARS_MAX = 2_000

export interface InstructionContext<State> extends Caller {
  /** The state of the thread's domain as it is now. */
  readonly state: State
  readonly thread: string
}

/** The results of a turn's opening, for the notes in the model's prompt. */
export interface NarrationContext<State> {
  /** The person's message in this turn; empty without one. */
  readonly said: string
  /** The state after the person's events and the rules. */
  readonly state: State
  /** The person's events that the gate accepted. */
  readonly accepted: readonly { readonly type: string; readonly data: Json }[]
  readonly refused: readonly { readonly type: string; readonly reason: string }[]
  /** The page was opened for the first time. */
  readonly first: boolean
  /** The turn has no message and no events: the page asks the model to go on. */
  readonly bare: boolean
}

/** A record of the agent's own about a turn, stored as `throughline.<name>`. No model reads it. */
export interface Annotation {
  readonly name: string
  readonly value: Json
}

/** Agents, or a function that gives them, for agents that refer to each other. */
export type Agents<State> = readonly Agent<State>[] | (() => readonly Agent<State>[])

type ToolSchemas = Readonly<Record<string, InputSchema>>

export interface AgentParts<
  State,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
  Schemas extends ToolSchemas = ToolSchemas,
> {
  readonly name: Name
  /** The domain of the threads it works in: gives the types of the state and of the events. */
  readonly domain?: Domain<State, Events>
  /** The agent's purpose, for the models of agents that may call it. */
  readonly description?: string
  readonly model?: LanguageModel | undefined
  /** Answers in place of a model: an agent has one of the two. */
  readonly program?: Program
  readonly instructions?: string | ((context: InstructionContext<State>) => string)
  /**
   * The page or channel on which the agent talks with a person. The agent's records name it; the agent
   * sees the messages of its surface, and may propose what the domain lets a model propose there.
   */
  readonly surface?: string
  /** Notes for the model about what a turn's events did; by default one for each event. */
  readonly notes?: (context: NarrationContext<State>) => readonly string[]
  /** Returns further records of a turn's opening. */
  readonly annotations?: (context: NarrationContext<State>) => readonly Annotation[]
  /** Whether its turns end with the submitting rules. */
  readonly submits?: boolean
  readonly tools?: {
    readonly [Each in keyof Schemas]: ToolParts<Schemas[Each], State, ProposalOf<NoInfer<Events>>>
  }
  /**
   * The domain's event types that it may propose, by tags in its text or by `propose_<type>` tools. An
   * agent with a surface and without this list may propose, by tags, what the domain allows there. What
   * only a tool may propose is listed in the tool's `proposes`.
   */
  readonly emits?: readonly (keyof NoInfer<Events> & string)[]
  /** Sub-agents, each offered to the model as `call_<name>` with input `{ message }`. */
  readonly agents?: Agents<State>
  /** Agents that it may hand over to, each offered as `handoff_to_<name>`. */
  readonly handoffs?: Agents<State>
  readonly limits?: Partial<AgentLimits>
  readonly temperature?: number
  /**
   * The media types of files that its model reads, such as `image/*` and `application/pdf`; without it, people
   * may give it text alone.
   */
  readonly files?: readonly string[]
  /**
   * Options of the model's provider, by the name under which its package reads them, such as
   * `{ anthropic: { effort: 'low' } }`. They go with each model call.
   */
  readonly providerOptions?: ProviderOptions
  /**
   * What becomes of a turn of its own that a crash cuts off. `again`: the next start, or another server,
   * runs it once more, unless it left a result that must not be repeated. By default it ends as failed.
   */
  readonly afterCrash?: 'fail' | 'again'
}

/** An agent, checked and complete. */
export interface Agent<State = unknown, Name extends string = string, Output = unknown> {
  readonly name: Name
  /** Carries types only: the member is never there. */
  readonly '~answers'?: AnsweringAgent<Name, Output>
  /** Absent: it works in any domain that has the events it emits. */
  readonly domain?: Pick<Domain<never>, 'name'>
  readonly description: string
  /** Absent where a program answers for the agent. */
  readonly model?: LanguageModel
  readonly program?: Program
  readonly instructions: (context: InstructionContext<State>) => string
  readonly surface?: string
  readonly notes: (context: NarrationContext<State>) => readonly string[]
  readonly annotations: (context: NarrationContext<State>) => readonly Annotation[]
  readonly submits: boolean
  readonly tools: ReadonlyMap<string, Tool>
  /** Absent: whatever the domain allows. */
  readonly emits?: readonly string[]
  /** The event types that only its tools may propose, by the name of the tool. */
  readonly proposes: ReadonlyMap<string, readonly string[]>
  readonly agents: () => readonly Agent<State>[]
  readonly handoffs: () => readonly Agent<State>[]
  readonly limits: AgentLimits
  readonly temperature?: number
  readonly files?: readonly string[]
  readonly providerOptions?: ProviderOptions
  readonly output?: ToolSchema
  readonly afterCrash: 'fail' | 'again'
}

/** An agent whatever its state. */
export type NamedAgent = Pick<Agent, 'name' | '~answers'>

const NAME = /^\S(?:.{0,62}\S)?$/u
/** Ids of keyed runs are made from the surface, or else from "run" or "resume". */
const SURFACE = /^(?!run$|resume$)\S(?:.{0,62}\S)?$/u
const RESERVED = /^(?:call_|handoff_to_|propose_)/

/**
 * Defines an agent: a model or a program with instructions, tools, and other agents that it may call or hand
 * over to.
 *
 * @throws {@link AgentError} `invalid_agent`; {@link DefinitionError} `reserved_name`, `duplicate_name`
 * @example
 * const helper = defineAgent({ name: 'helper', model, instructions: 'Answer in one sentence.' })
 */
export function defineAgent<
  State = unknown,
  Events extends EventEntries<State> = EventEntries<State>,
  Name extends string = string,
  Schemas extends ToolSchemas = ToolSchemas,
  Output extends InputSchema = never,
>(
  parts: AgentParts<State, Events, Name, Schemas> & OutputPart<Output>,
): Agent<State, Name, OutputOf<Output>> {
  checkParts(parts)
  const { name, description = '', instructions = '' } = parts
  const { afterCrash = 'fail', submits = false, annotations = () => [] } = parts
  const emits = emitsOf(parts)
  // A tool's functions get input that has passed its own schema, and the state of the agent's domain.
  const tools = (parts.tools ?? {}) as unknown as WrittenTools
  checkIdentity(parts)
  const mind = mindOf(parts)
  return {
    name,
    description,
    ...mind,
    instructions: typeof instructions === 'function' ? instructions : () => instructions,
    ...givenOf(parts),
    ...modelPartsOf(parts),
    tools: toolsOf(name, tools),
    proposes: new Map(Object.entries(tools).map(([key, { proposes = [] }]) => [key, proposes])),
    notes: parts.notes ?? eventNotes,
    annotations,
    submits,
    ...(emits && { emits }),
    ...outputOf(parts),
    agents: listed(name, parts.agents),
    handoffs: listed(name, parts.handoffs),
    limits: limitsOf(name, parts.limits),
    afterCrash,
  }
}

function givenOf<State>({
  domain,
  surface,
  temperature,
}: Pick<AgentParts<State>, 'domain' | 'surface' | 'temperature'>) {
  return {
    ...(domain && { domain }),
    ...(surface !== undefined && { surface }),
    ...(temperature !== undefined && { temperature }),
  }
}

type Unchecked = OutputPart &
  Pick<AgentParts<never>, 'name' | 'surface' | 'model' | 'program' | 'emits' | 'afterCrash'>

const AGENT_PARTS: KnownMembers<AgentParts<never> & OutputPart> = {
  name: true,
  domain: true,
  description: true,
  model: true,
  program: true,
  instructions: true,
  surface: true,
  notes: true,
  annotations: true,
  submits: true,
  tools: true,
  emits: true,
  agents: true,
  handoffs: true,
  limits: true,
  temperature: true,
  files: true,
  providerOptions: true,
  output: true,
  afterCrash: true,
}

const AGENT_SHAPES = {
  tools: 'an object',
  limits: 'an object',
  emits: 'a list',
  files: 'a list',
  providerOptions: 'an object',
} as const

/** Of a tool of ours; one of the AI SDK has others besides. */
const TOOL_PARTS: KnownMembers<WrittenTool> = {
  description: true,
  inputSchema: true,
  needsApproval: true,
  approval: true,
  proposes: true,
  execute: true,
}

function checkParts(given: ({ readonly name?: unknown } & AgentFunctions) | undefined): void {
  const parts = given ?? {}
  const why =
    unknownMember(given, AGENT_PARTS) ??
    misshapenMember(parts, AGENT_SHAPES) ??
    whyUnfitFunction(parts)
  if (why !== undefined) throw undefinable(String(parts.name), why)
}

function checkIdentity({ name, surface, afterCrash = 'fail' }: Unchecked): void {
  // `test` would read the text "undefined".
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw undefinable(String(name), 'its name is not 1 to 64 characters')
  }
  if (isObjectMember(name)) throw reserved(name, 'it')
  // A program without types may give anything.
  if (!['fail', 'again'].includes(afterCrash)) {
    throw undefinable(
      name,
      `its afterCrash is "${afterCrash}"; give "again", or "fail", the default`,
    )
  }
  if (surface !== undefined && !SURFACE.test(surface)) {
    throw undefinable(
      name,
      `its surface "${surface}" is not 1 to 64 characters, or is "run" or "resume"`,
    )
  }
}

function mindOf({ name, model, program }: Unchecked): Pick<Agent, 'model' | 'program'> {
  const why = whyNoMind(model, program)
  if (why !== undefined) throw undefinable(name, why)
  return { ...(model && { model }), ...(program && { program }) }
}

/** Without a surface an agent may propose only its listed events; so may a program anywhere. */
function emitsOf({ emits, surface, program }: Unchecked): readonly string[] | undefined {
  return emits ?? (surface === undefined || program ? [] : undefined)
}

function eventNotes<State>({ accepted, refused }: NarrationContext<State>): readonly string[] {
  return [
    ...accepted.map(
      ({ type, data }) =>
        `[The person's event was recorded: ${type} ${shortJson(data, NOTE_DATA_CHARS_MAX)}]`,
    ),
    ...refused.map(({ type, reason }) => `[The person's event was refused: ${type} (${reason})]`),
  ]
}

type WrittenTool = Omit<Tool, 'inputSchema' | 'proposes'> & {
  readonly inputSchema: InputSchema
  readonly proposes?: readonly string[]
}

type WrittenTools = Readonly<Record<string, WrittenTool>>

function toolsOf(agent: string, tools: WrittenTools): ReadonlyMap<string, Tool> {
  if (hasLostMember(tools)) throw reserved(agent, `its tool "__proto__"`)
  return new Map(
    Object.entries(tools).map(([name, tool]) => [name, checkedTool(agent, name, tool)]),
  )
}

function listed<State>(name: string, agents: Agents<State> = []): () => readonly Agent<State>[] {
  if (typeof agents === 'function') return agents
  if (!agents.every(isAgent)) {
    throw undefinable(
      name,
      'an agent that it may call or hand over to was not made by `defineAgent`',
    )
  }
  const names = agents.map((agent) => snakeCase(agent.name))
  const twice = agents.find((_, at) => names.indexOf(names[at] ?? '') !== at)
  if (twice) {
    const why = `two agents that it may call or hand over to are called "${twice.name}"`
    throw new DefinitionError('duplicate_name', `Cannot define agent "${name}": ${why}; rename one`)
  }
  return () => agents
}

/** An agent's name as a part of a tool's name. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toLowerCase()
}

function checkedTool(agent: string, name: string, { proposes: _, ...tool }: WrittenTool): Tool {
  // Every provider accepts such names.
  if (!isPlainName(name)) throw undefinable(agent, `its tool "${name}" is not ${PLAIN_NAME}`)
  if (RESERVED.test(name) || isObjectMember(name)) throw reserved(agent, `its tool "${name}"`)
  // The AI SDK marks so what only a provider can run.
  if ('type' in tool && tool.type === 'provider') {
    throw undefinable(
      agent,
      `its tool "${name}" is one of a provider; give a tool with \`execute\``,
    )
  }
  const unfit = misspeltMember(tool, TOOL_PARTS) ?? whyUnfitTool(tool)
  if (unfit !== undefined) throw undefinable(agent, `its tool "${name}": ${unfit}`)
  // A program without types may leave it out.
  if (!('inputSchema' in tool)) {
    throw undefinable(
      agent,
      `its tool "${name}" has no inputSchema; give it one, such as z.object({})`,
    )
  }
  const why = whyNoApproval(tool.needsApproval)
  if (why !== undefined) throw undefinable(agent, `the needsApproval of its tool "${name}" ${why}`)
  const inputSchema = toolSchemaOf(tool.inputSchema)
  if (!inputSchema) {
    throw undefinable(
      agent,
      `the inputSchema of its tool "${name}" gives no JSON Schema; zod 4.2 does`,
    )
  }
  return { ...tool, inputSchema }
}

function reserved(agent: string, what: string): DefinitionError {
  const mend =
    'give it a name that no object has and that begins with none of call_, handoff_to_, propose_'
  return new DefinitionError(
    'reserved_name',
    `Cannot define agent "${agent}": ${what} has a reserved name; ${mend}`,
  )
}
