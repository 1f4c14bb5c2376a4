import { customValue } from '../activity/index.ts'
import { diff } from '../domain/index.ts'
import type { Operation } from '../domain/index.ts'
import { AgentStreamParser } from '../inline/index.ts'
import { startOf, textOf, valueAt } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'
import type { FollowedState, View } from './view.ts'

/** The newest changes of a path that are told at once. */
export const REASONS_MAX = 1_000
/** Runs and turns whose texts are remembered; the oldest go first. */
const TURNS_REMEMBERED_MAX = 1_000
/** Of what a model or a person wrote, a reason repeats the beginning. */
export const REASON_TEXT_CHARS_MAX = 2_000

/** Why a record changed the value at a path, as far as the role may see it. */
export interface Reason {
  readonly seq: number
  readonly ts: number
  /** What changed: at the path, or below it. */
  readonly ops: readonly Operation[]
  /** Absent where the role may not see the record. */
  readonly record?: Pick<LogRecord, 'id' | 'type' | 'origin'>
  /** The record that its origin names as its cause. */
  readonly cause?: NamedRecord
  /** The output of the model that proposed it. */
  readonly said?: WrittenText & { readonly tag?: string }
  /** The message of a person that its turn answers. */
  readonly asked?: WrittenText
}

export interface NamedRecord {
  readonly seq: number
  readonly type: string
}

export interface WrittenText {
  readonly seq: number
  readonly text: string
}

interface ModelText extends WrittenText {
  /** Tags that no record has taken yet, in their order. */
  readonly tags: { readonly type: string; readonly raw: string }[]
}

export interface ProvenanceParts {
  /** A JSON pointer into the state; the empty one is the whole state. */
  readonly path: string
  readonly view: Pick<View, 'record'>
  /** The state as the role sees it. */
  readonly followed: FollowedState
}

/** Collects the reasons for the value at a path. Takes the records of a thread in their order. */
export class Provenance {
  readonly #parts: ProvenanceParts
  #value: Json | undefined
  readonly #records = new Map<string, NamedRecord>()
  readonly #said = new NewestMap<ModelText>(TURNS_REMEMBERED_MAX)
  readonly #asked = new NewestMap<WrittenText>(TURNS_REMEMBERED_MAX)
  readonly #reasons: Reason[] = []
  /** Whether older reasons were dropped. */
  isCut = false

  constructor(parts: ProvenanceParts) {
    this.#parts = parts
    this.#value = valueAt(parts.followed.state, parts.path)
  }

  /** Oldest first. */
  get reasons(): readonly Reason[] {
    return this.#reasons
  }

  take(stored: LogRecord): void {
    const record = this.#parts.view.record(stored)
    if (record) this.#note(record)
    const said = record && this.#saidFor(record)
    const ops = this.#changesOf(stored)
    if (ops.length === 0) return
    const { seq, ts } = stored
    this.#reasons.push({
      seq,
      ts,
      ops,
      ...(record && this.#contextOf(record)),
      ...(said && { said }),
    })
    if (this.#reasons.length <= REASONS_MAX) return
    this.#reasons.shift()
    this.isCut = true
  }

  /** Compares the value itself: a list that loses an item moves the others, which no operation names. */
  #changesOf(stored: LogRecord): readonly Operation[] {
    const { path, followed } = this.#parts
    followed.take(stored)
    const before = this.#value
    const after = valueAt(followed.state, path)
    if (before === after) return []
    this.#value = after
    const within = diff(memberOf(before), memberOf(after))
    return within.map((operation) => ({
      ...operation,
      path: path + operation.path.slice(VALUE_PATH.length),
    }))
  }

  #contextOf({ id, type, origin }: LogRecord): Partial<Reason> {
    const cause = this.#records.get(origin.cause ?? '')
    const asked = this.#asked.get(origin.turn ?? '')
    return { record: { id, type, origin }, ...(cause && { cause }), ...(asked && { asked }) }
  }

  #note(record: LogRecord): void {
    const { seq, id, type, origin, data } = record
    this.#records.set(id, { seq, type })
    if (type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'ui' && origin.turn !== undefined) {
      const before = this.#asked.get(origin.turn)
      const text = startOf((before?.text ?? '') + textOf(data, 'delta'), REASON_TEXT_CHARS_MAX)
      this.#asked.set(origin.turn, { seq: before?.seq ?? seq, text })
    }
    const output = customValue(record, 'model_output')
    if (output === undefined || origin.run === undefined) return
    this.#said.set(origin.run, modelText(seq, output))
  }

  /** A refused tag is taken too: a later one of its type must not be blamed for it. */
  #saidFor({ type, origin, data }: LogRecord): Reason['said'] {
    const said = origin.source === 'model' ? this.#said.get(origin.run ?? '') : undefined
    if (!said) return undefined
    const wanted = type === 'event_refused' ? textOf(data, 'type') : type
    const at = said.tags.findIndex((tag) => tag.type === wanted)
    const [tag] = at === -1 ? [] : said.tags.splice(at, 1)
    const { seq, text } = said
    return { seq, text: startOf(text, REASON_TEXT_CHARS_MAX), ...(tag && { tag: tag.raw }) }
  }
}

const VALUE_PATH = '/value'

function memberOf(value: Json | undefined): JsonObject {
  return value === undefined ? {} : { value }
}

function modelText(seq: number, output: Json): ModelText {
  const text = textOf(output, 'text')
  const parser = new AgentStreamParser()
  const tags = [parser.feed(text), parser.flush()].flatMap(({ events, raw }) =>
    events.map(({ type }, at) => ({ type, raw: raw[at] ?? '' })),
  )
  return { seq, text, tags }
}
