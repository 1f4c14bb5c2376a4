import type { AGUIEvent } from '@ag-ui/core'
import { ITEMS } from '../activity/index.ts'
import type { ItemKind } from '../activity/index.ts'
import { nameOf } from './owned-items.ts'
import type { Agent } from './owned-items.ts'
import { outOfOrder } from './wire-error.ts'

type Members = Readonly<Record<string, unknown>>

/** Any of the chunks, as their schemas have read them. */
interface Chunk extends Members {
  readonly type: string
  readonly messageId?: string
  readonly toolCallId?: string
  readonly subagentRunId?: string
}

/** One of AG-UI's three chunk forms: a short form of the events of an item. */
interface ChunkForm {
  readonly item: ItemKind
  readonly id: 'messageId' | 'toolCallId'
  /** Members of the first chunk; a later one may repeat them. */
  readonly opening: readonly string[]
  readonly required: readonly string[]
  readonly defaults: Members
  readonly opens: string
  readonly continues: string
  readonly closes: string
}

const FORMS: Readonly<Record<string, ChunkForm>> = {
  TEXT_MESSAGE_CHUNK: {
    item: 'text message',
    ...ITEMS['text message'],
    opening: ['role', 'name'],
    required: [],
    defaults: { role: 'assistant' },
  },
  TOOL_CALL_CHUNK: {
    item: 'tool call',
    ...ITEMS['tool call'],
    opening: ['toolCallName', 'parentMessageId'],
    required: ['toolCallName'],
    defaults: {},
  },
  REASONING_MESSAGE_CHUNK: {
    item: 'reasoning message',
    ...ITEMS['reasoning message'],
    opening: [],
    required: [],
    defaults: { role: 'reasoning' },
  },
}

/** These leave an item that chunks opened as it is. */
const PASSING = new Set([
  'RAW',
  'ACTIVITY_SNAPSHOT',
  'ACTIVITY_DELTA',
  'REASONING_ENCRYPTED_VALUE',
  'SUBAGENT_STARTED',
])

/** These are of the run as a whole: they end the items of all its agents. */
const OF_THE_RUN = new Set(['RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR', 'MESSAGES_SNAPSHOT'])

/** The item that chunks of one agent build. */
interface Building {
  readonly form: ChunkForm
  readonly id: string
  /** The members of the first chunk that later ones may repeat. */
  readonly opening: Members
  readonly subagentRunId: Agent
}

/**
 * Turns the chunk forms of AG-UI into the events that they are short for. Each sub-agent, and the agent
 * itself, builds at most one item at a time.
 */
export class Chunks {
  readonly #building = new Map<Agent, Building>()

  /** @throws {@link WireError} `out_of_order` when it cannot be told which item a chunk belongs to */
  expand(event: AGUIEvent): readonly AGUIEvent[] {
    const form = FORMS[event.type]
    if (form) return this.#expandChunk(event as unknown as Chunk, form)
    if (this.#building.size === 0 || PASSING.has(event.type)) return [event]
    if (OF_THE_RUN.has(event.type)) {
      return [...[...this.#building.keys()].flatMap((agent) => this.#end(agent)), event]
    }
    const agent = 'subagentRunId' in event ? event.subagentRunId : undefined
    return [...this.#end(agent), event]
  }

  #expandChunk(chunk: Chunk, form: ChunkForm): readonly AGUIEvent[] {
    const agent = this.#agentOf(chunk, form)
    const open = this.#building.get(agent)
    const id = chunk[form.id]
    const goesOn = open?.form === form && (id === undefined || id === open.id)
    if (goesOn) requireSameOpening(chunk, open)
    const started = goesOn ? [] : this.#start(chunk, form, agent)
    const building = this.#building.get(agent)
    if (!building || !saysMore(chunk, started.length > 0)) return started
    const { rawEvent, delta = '' } = chunk
    const content = {
      type: form.continues,
      [form.id]: building.id,
      delta,
      ...ownerOf(chunk.subagentRunId ?? building.subagentRunId),
      ...sharedBy(chunk),
      ...(rawEvent === undefined ? {} : { rawEvent }),
    }
    return [...started, wireEvent(content)]
  }

  #start(chunk: Chunk, form: ChunkForm, agent: Agent): readonly AGUIEvent[] {
    const ended = this.#end(agent)
    const id = chunk[form.id]
    const missing = [form.id, ...form.required].find((name) => chunk[name] === undefined)
    if (id === undefined || missing !== undefined) {
      throw outOfOrder(
        chunk.type,
        `the first chunk of a ${form.item} has no "${missing ?? form.id}"`,
      )
    }
    const given = Object.fromEntries(
      form.opening.flatMap((name) => (chunk[name] === undefined ? [] : [[name, chunk[name]]])),
    ) as Members
    const opening = { ...form.defaults, ...given }
    const { subagentRunId } = chunk
    this.#building.set(agent, { form, id, opening, subagentRunId })
    const start = { type: form.opens, [form.id]: id, ...opening, ...ownerOf(subagentRunId) }
    return [...ended, wireEvent({ ...start, ...sharedBy(chunk) })]
  }

  #end(agent: Agent): readonly AGUIEvent[] {
    const building = this.#building.get(agent)
    if (!building) return []
    this.#building.delete(agent)
    const { form, id, subagentRunId } = building
    return [wireEvent({ type: form.closes, [form.id]: id, ...ownerOf(subagentRunId) })]
  }

  /** The owner of a chunk's item: the sub-agent it names, else the one that has the item open. */
  #agentOf(chunk: Chunk, form: ChunkForm): Agent {
    const named = chunk.subagentRunId
    const id = chunk[form.id]
    const open = [...this.#building].filter(([, building]) => building.form === form)
    if (id !== undefined) {
      const holder = open.find(([, building]) => building.id === id)
      if (!holder) return named
      const [agent] = holder
      if (named === undefined || named === agent) return agent
      throw outOfOrder(chunk.type, `${form.item} "${id}" belongs to ${nameOf(agent)}`)
    }
    if (named !== undefined) return named
    if (open.length < 2 || open.some(([agent]) => agent === undefined)) {
      const own = open.find(([agent]) => agent === undefined) ?? open[0]
      return own?.[0]
    }
    const state = `${open.length} sub-agents have a ${form.item} open and the chunk names none of them`
    throw outOfOrder(chunk.type, state)
  }
}

function requireSameOpening(chunk: Chunk, { form, id, opening }: Building): void {
  const other = form.opening.find(
    (name) => chunk[name] !== undefined && chunk[name] !== opening[name],
  )
  if (other === undefined) return
  throw outOfOrder(chunk.type, `${form.item} "${id}" began with another "${other}"`)
}

/** A chunk that only opens an item makes no content; one that goes on without text may carry metadata. */
function saysMore(chunk: Chunk, hasStarted: boolean): boolean {
  const { delta, rawEvent, metadata } = chunk
  return delta !== undefined || rawEvent !== undefined || (!hasStarted && metadata !== undefined)
}

function sharedBy({ metadata, timestamp }: Members): Members {
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

function ownerOf(subagentRunId: Agent): Members {
  return subagentRunId === undefined ? {} : { subagentRunId }
}

function wireEvent(members: Members & { readonly type: string }): AGUIEvent {
  // Its members are those of a chunk, which the schema of its form has read.
  return members as unknown as AGUIEvent
}
