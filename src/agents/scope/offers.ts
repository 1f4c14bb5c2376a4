import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { unusableAgent } from '../define/agent-error.ts'
import { snakeCase } from '../define/agent.ts'
import { offeredSchema } from './offered-schema.ts'
import { tagProtocol, withTagProtocol } from './tag-protocol.ts'
import type { TaggedEvent } from './tag-protocol.ts'
import type { Agent } from '../define/agent.ts'
import { toolSchemaOf } from '../define/sdk-schema.ts'
import type { Tool } from '../define/tool.ts'
import { isPlainName } from '../../domain/index.ts'
import { kindOf } from '../../json/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { AnyEventType, Domain } from '../../domain/index.ts'
import type { Sha256 } from '../../log/index.ts'

export type Offer<State> =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'agent'; readonly agent: Agent<State> }
  | { readonly kind: 'handoff'; readonly agent: Agent<State> }
  | { readonly kind: 'event'; readonly type: string }
  /** The client runs it, and gives the result. */
  | { readonly kind: 'client' }

export interface Offers<State> {
  readonly byName: ReadonlyMap<string, Offer<State>>
  readonly names: ReadonlySet<string>
  /** In the provider's form. */
  readonly definitions: readonly LanguageModelV4FunctionTool[]
  /** Of the answer, where the agent has an `output`. */
  readonly output?: JsonObject
  /** The definitions as one text. */
  readonly text: string
  /** The agent's own instructions and, where it may propose events, the tag protocol. */
  readonly instructions: Agent<State>['instructions']
  /** Names what a model is given besides the conversation, by its digest. */
  readonly promptUnder: (system: string, sha256: Sha256) => string
}

/**
 * Puts together what an agent's model may call: its tools, its sub-agents, those it may hand over to, and
 * the events it may propose, with the tag protocol for these.
 *
 * @throws {@link AgentError} `invalid_agent` when two share a name, an event is unknown or may not be
 *   proposed, or the agent is defined for another domain
 */
export function offersOf<State>(agent: Agent<State>, domain: Domain<State>): Offers<State> {
  requireSameDomain(agent, domain)
  requireProposable(agent, domain)
  const byName = new Map<string, Offer<State>>()
  const definitions: LanguageModelV4FunctionTool[] = []
  const events: TaggedEvent[] = []
  for (const { offer, ...described } of every(agent, domain)) {
    const { name, inputSchema } = described
    if (!isPlainName(name)) {
      const why = `its model would know "${name}", which is longer than 64 characters`
      throw unusableAgent(agent.name, why)
    }
    if (byName.has(name)) {
      throw unusableAgent(agent.name, `two of its tools, agents or events are called "${name}"`)
    }
    byName.set(name, offer)
    definitions.push({ type: 'function', ...described })
    if (offer.kind === 'event') events.push({ type: offer.type, schema: inputSchema })
  }
  // Text of a program is shown as it is: no tag in it counts.
  const protocol = tagProtocol(agent.program ? [] : events)
  const { output } = agent
  const of = { agent: agent.name, what: 'its output' }
  return completeOffers({
    byName,
    definitions,
    ...(output && { output: offeredSchema(output, of) }),
    instructions: (context) => {
      const text: unknown = agent.instructions(context)
      if (typeof text === 'string') return withTagProtocol(text, protocol)
      throw unusableAgent(
        agent.name,
        `its \`instructions\` returned ${kindOf(text)}; return a text`,
      )
    },
  })
}

export function completeOffers<State>(
  offers: Pick<Offers<State>, 'byName' | 'definitions' | 'instructions' | 'output'>,
): Offers<State> {
  const { byName, definitions } = offers
  const text = JSON.stringify(definitions)
  const names = new Set(byName.keys())
  return { ...offers, names, text, promptUnder: prompts(definitions, text) }
}

function requireSameDomain<State>({ name, domain: own }: Agent<State>, given: Domain<State>): void {
  if (!own || own === (given as object)) return
  const other = own.name === given.name ? `another "${own.name}"` : `"${own.name}"`
  const why = `it is defined for the domain ${other}, not for this "${given.name}"`
  const mend = 'give the agent and the application the same domain'
  throw unusableAgent(name, `${why}; ${mend}`)
}

function requireProposable<State>(agent: Agent<State>, domain: Domain<State>): void {
  for (const [tool, types] of agent.proposes) {
    for (const type of types) {
      const why = unproposable(agent, domain, type)
      if (why === undefined) continue
      throw unusableAgent(agent.name, `its tool "${tool}" may propose "${type}", ${why}`)
    }
  }
}

function unproposable<State>(
  { emits }: Agent<State>,
  { name, events }: Domain<State>,
  type: string,
): string | undefined {
  const entry = events.get(type)
  if (!entry) return `which is no event of ${name}`
  if (emits?.includes(type)) {
    return 'which the agent also emits, so its model needs no tool for it; take it out of one'
  }
  return isForModels(entry) ? undefined : NO_MODEL
}

const NO_MODEL = 'which its `by` does not give to "model"'

function isForModels<State>({ by }: AnyEventType<State>): boolean {
  return by.some(({ source }) => source === 'model')
}

/** Most instructions stay the same from call to call: the last digest is kept. */
function prompts(definitions: readonly unknown[], tools: string): Offers<never>['promptUnder'] {
  let last: { readonly system: string; readonly digest: string } | undefined
  return (system, sha256) => {
    if (last?.system !== system) {
      const text = definitions.length === 0 ? system : `${JSON.stringify(system)}\n${tools}`
      last = { system, digest: sha256(text) }
    }
    return last.digest
  }
}

interface Entry<State> extends Omit<LanguageModelV4FunctionTool, 'type'> {
  readonly offer: Offer<State>
}

function* every<State>(agent: Agent<State>, domain: Domain<State>): Generator<Entry<State>> {
  for (const [name, tool] of agent.tools) {
    const { description: given } = tool
    const description = typeof given === 'function' ? given({ context: {} }) : given
    const of = { agent: agent.name, what: `its tool "${name}"` }
    yield {
      offer: { kind: 'tool', tool },
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: offeredSchema(tool.inputSchema, of),
    }
  }
  for (const other of agent.agents()) yield subagent(other)
  for (const other of agent.handoffs()) yield handoff(other)
  for (const type of agent.emits ?? []) yield proposal(agent, type, domain)
}

function subagent<State>(agent: Agent<State>): Entry<State> {
  return {
    offer: { kind: 'agent', agent },
    name: `call_${snakeCase(agent.name)}`,
    description: `Asks the agent "${agent.name}" and gives its answer. ${agent.description}`.trim(),
    inputSchema: messageSchema('What to ask; it knows nothing else of this conversation.', true),
  }
}

function handoff<State>(agent: Agent<State>): Entry<State> {
  return {
    offer: { kind: 'handoff', agent },
    name: `handoff_to_${snakeCase(agent.name)}`,
    description:
      `Hands this conversation over to the agent "${agent.name}" and ends your part. ${agent.description}`.trim(),
    inputSchema: messageSchema('What it should know or do.', false),
  }
}

function messageSchema(description: string, required: boolean) {
  return {
    type: 'object' as const,
    properties: { message: { type: 'string' as const, description } },
    required: required ? ['message'] : [],
    additionalProperties: false,
  }
}

function proposal<State>(agent: Agent<State>, type: string, domain: Domain<State>): Entry<State> {
  const entry = domain.events.get(type)
  if (!entry) {
    throw unusableAgent(agent.name, `it may emit "${type}", which is no event of ${domain.name}`)
  }
  if (!isForModels(entry)) throw unusableAgent(agent.name, `it may emit "${type}", ${NO_MODEL}`)
  // A schema of a library that cannot describe itself still checks the input.
  const schema = toolSchemaOf(entry.schema)
  const of = { agent: agent.name, what: `the event "${type}" that it emits` }
  return {
    offer: { kind: 'event', type },
    name: `propose_${snakeCase(type)}`,
    description: `Proposes the event "${type}". The answer says whether it was accepted.`,
    inputSchema: schema ? offeredSchema(schema, of) : { type: 'object', properties: {} },
  }
}
