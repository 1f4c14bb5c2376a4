import type { Domain } from '../domain/index.ts'
import { stripEventTags } from '../inline/index.ts'
import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { countOpeners, readingsOf, visible } from './hidden-tags.ts'

/** The foreign tags that a thread remembers; after one more, no tag of its models is accepted. */
export const FOREIGN_TAGS_MAX = 64
/** The longest content of a foreign tag that a thread remembers, in characters. */
export const FOREIGN_TAG_CHARS_MAX = 1_000
/** The end of a text that the next one may continue: an opener in the longest of its encodings. */
const TAIL_CHARS_MAX = 256

/** The tags that entered a thread from outside its models. */
export interface ForeignTags {
  /** The content of each; `any` once one was hidden, split or unfinished, or there were too many. */
  readonly tags: readonly string[] | 'any'
  /** The end of the last text. */
  readonly tail: string
}

export const NO_FOREIGN_TAGS: ForeignTags = { tags: [], tail: '' }

/** Remembers the tags in all text of a thread that is not a model's speech. Pure. */
export function foldForeignTags<State>(
  domain: Domain<State>,
  before: ForeignTags,
  records: Iterable<LogRecord>,
): ForeignTags {
  // Without a proposal of a model there is nothing to compare with these tags.
  if (!takesProposalsOfModels(domain)) return before
  const { events } = domain
  let foreignTags = before
  for (const record of records) {
    if (foreignTags.tags === 'any') return foreignTags
    if (record.origin.source !== 'model' || events.has(record.type)) {
      foreignTags = foldRecord(foreignTags, record, events.has(record.type))
    }
  }
  return foreignTags
}

function takesProposalsOfModels<State>({ events }: Domain<State>): boolean {
  for (const { by } of events.values()) {
    if (by.some(({ source }) => source === 'model')) return true
  }
  return false
}

/** Whether a tag of the model's repeats one that came from outside. */
export function isForeign({ tags }: ForeignTags, tag: Tag): boolean {
  return tags === 'any' || (tags.length > 0 && tags.includes(contentOf(tag)))
}

interface Tag {
  readonly type: string
  readonly data: unknown
}

/** Members that hold names and no content: they may be between any two texts of a person. */
const PROTOCOL = /Id$|^(?:role|status|)$/

/** Too short for an encoding of `agent-event`, and without its hyphen: most members are named so. */
const SPELLS_NO_TAG = /^\w{0,14}$/

function foldRecord(
  foreignTags: ForeignTags,
  { type, origin, data }: LogRecord,
  isDomain: boolean,
): ForeignTags {
  const isContent = isDomain || origin.source === 'ui' || type === 'TOOL_CALL_RESULT'
  return foldValue(foreignTags, data, { name: '', isContent })
}

interface Place {
  /** The member that holds the value; empty for the names of members themselves. */
  readonly name: string
  readonly isContent: boolean
}

function foldValue(foreignTags: ForeignTags, value: Json, place: Place): ForeignTags {
  if (typeof value === 'string') return foldText(foreignTags, value, place)
  if (value === null || typeof value !== 'object') return foreignTags
  if (Array.isArray(value)) {
    return value.reduce(
      (folded: ForeignTags, item: Json) => foldValue(folded, item, place),
      foreignTags,
    )
  }
  const { isContent } = place
  for (const [name, held] of Object.entries(value)) {
    if (!SPELLS_NO_TAG.test(name))
      foreignTags = foldText(foreignTags, name, { name: '', isContent })
    if (held !== undefined) foreignTags = foldValue(foreignTags, held, { name, isContent })
  }
  return foreignTags
}

function foldText(
  { tags, tail }: ForeignTags,
  text: string,
  { name, isContent }: Place,
): ForeignTags {
  const continues = isContent && !PROTOCOL.test(name)
  const folded = foldTags(tags, continues ? tail + text : text)
  return continues ? folded : { tags: folded.tags, tail }
}

function foldTags(tags: ForeignTags['tags'], text: string): ForeignTags {
  const [plain, ...hidden] = readingsOf(text)
  if (tags === 'any' || plain === undefined) return { tags, tail: text.slice(-TAIL_CHARS_MAX) }
  const opened = countOpeners(plain)
  if (opened === 0 && hidden.every((reading) => countOpeners(reading) === 0)) {
    return { tags, tail: text.slice(-TAIL_CHARS_MAX) }
  }
  const found = contentsIn(plain)
  // A text that hides or splits a tag gets no exact memory: its other readings are unknown.
  if (found.length < opened || hidden.some((reading) => countOpeners(reading) > opened)) {
    return { tags: 'any', tail: '' }
  }
  const rest = opened === 0 ? text : text.slice(text.lastIndexOf('>') + 1)
  const tail = rest.slice(-TAIL_CHARS_MAX)
  if (opened === 0) return { tags, tail }
  const all = [...new Set([...tags, ...found, ...hidden.flatMap(contentsIn)])]
  const fits =
    all.length <= FOREIGN_TAGS_MAX && all.every((each) => each.length <= FOREIGN_TAG_CHARS_MAX)
  return { tags: fits ? all : 'any', tail }
}

function contentsIn(reading: string): readonly string[] {
  const { events, dropped } = stripEventTags(reading.toLowerCase())
  // A model may repeat without the code marks a tag that was quoted.
  const quoted = dropped.flatMap(({ reason, raw }) =>
    reason === 'quoted' ? stripEventTags(raw).events : [],
  )
  return [...events, ...quoted].map(contentOf)
}

/** The letters and digits of a tag, its members in order: another notation says the same. */
function contentOf({ type, data }: Tag): string {
  const said = visible(JSON.stringify([type, sorted(data)]))
  return said.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, held]) => [name, sorted(held)] as const)
  return members.toSorted(([one], [other]) => (one < other ? -1 : 1))
}
