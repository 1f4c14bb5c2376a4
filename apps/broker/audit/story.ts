import { customValue, cutOf, outcomeOf } from 'throughline/activity'
import { membersOf, textOf } from 'throughline/json'
import type { LogRecord, Origin } from 'throughline/log'
import type { Json } from 'throughline/json'
import { BACKGROUND, PARTS } from './background.ts'
import { isOfPage, isRefusedShowing } from './refused-showing.ts'
import { inWords, listOf, quoted, said } from './sentence.ts'
import { tellRecovered, tellingKey } from './tell-recovered.ts'
import type { RecoveredTelling } from './tell-recovered.ts'
import { refusal } from './refusal.ts'
import { lenderAnswer } from './lender-answer.ts'
import { TELLINGS, offeredBy } from './tellings.ts'
import type { By } from './who.ts'
import { wordsBetween } from './whole-words.ts'

/** What one record tells. */
export interface Told {
  readonly record: LogRecord
  /** `background`: how a turn went by; a timeline leaves it out. */
  readonly weight: 'mattered' | 'background'
  readonly kind: string
  /** Several where a record holds several facts. */
  readonly sentences: readonly string[]
  /** Its data, without the log's wrapping. */
  readonly payload: Json
  /** The name to show for it: a message that the system closed belongs to the one who began it. */
  readonly by: By
  /** The whole text that it is part of, ends or keeps. */
  readonly whole?: string
  /** What the seed of a recovered case holds and the records before it do not tell, oldest first. */
  readonly recovered?: readonly RecoveredTelling[]
  /** When a recovery restated this message, in milliseconds since the epoch. */
  readonly restatedAt?: number
}

/** Tells every record of a thread, oldest first, each once. Pure. */
export function storyOf(records: readonly LogRecord[]): readonly Told[] {
  const wholes = wholesOf(records)
  const story = new Story(wholes)
  return records.map((record) => story.tell(record))
}

/** The texts that come in parts, by what they are and their id. */
type Wholes = ReadonlyMap<string, string>

function wholesOf(records: readonly LogRecord[]): Wholes {
  const wholes = new Map<string, string>()
  for (const record of records) {
    const key = partOf(record)
    if (key !== undefined) {
      wholes.set(key, (wholes.get(key) ?? '') + textOf(record.data, 'delta'))
    }
  }
  return wholes
}

function partOf({ type, data }: LogRecord): string | undefined {
  const part = PARTS.get(type)
  return part && `${part.of} ${textOf(data, part.key)}`
}

class Story {
  readonly #wholes: Wholes
  /** How much of a text the parts so far held. */
  readonly #passed = new Map<string, number>()
  readonly #speakers = new Map<string, Origin>()
  /** The keys of the tellings so far that mattered. */
  readonly #toldKeys = new Set<string>()
  #steps = 0
  #recoveredAt: number | undefined
  /** The lender that made the latest counter-offer. */
  #offeredBy: string | undefined

  constructor(wholes: Wholes) {
    this.#wholes = wholes
  }

  tell(record: LogRecord): Told {
    const told = this.#tell(record)
    if (told.weight === 'background') return told
    const ts = new Date(record.ts).toISOString()
    for (const summary of told.sentences) {
      this.#toldKeys.add(tellingKey({ ts, kind: told.kind, summary }))
    }
    return told
  }

  #tell(record: LogRecord): Told {
    const id = textOf(record.data, 'messageId')
    switch (record.type) {
      case 'TEXT_MESSAGE_START':
        this.#speakers.set(id, record.origin)
        return plainly(record)
      case 'TEXT_MESSAGE_END':
        return this.#message(record, id)
      case 'waterfall_recorded':
        return this.#answers(record)
      case 'case_hydrated':
        return this.#recovery(record)
      case 'accept_counter_offer':
      case 'refuse_counter_offer':
        return this.#offerReply(record)
      default: {
        const key = partOf(record)
        return key === undefined ? plainly(record) : this.#part(record, key)
      }
    }
  }

  #message(record: LogRecord, id: string): Told {
    const whole = this.#wholes.get(`message ${id}`) ?? ''
    const by = this.#speakers.get(id) ?? record.origin
    if (whole.trim() === '') return { ...plainly(record), by }
    const sentences = [quoted(whole)]
    // A message that a seed brought back belongs to no run.
    const restatedAt = record.origin.run === undefined ? this.#recoveredAt : undefined
    const restated = restatedAt === undefined ? {} : { restatedAt }
    return {
      ...bare(record),
      ...restated,
      by,
      whole,
      sentences,
      weight: 'mattered',
      kind: 'message',
    }
  }

  /** Where a case comes back, the log may hold a part of it itself. */
  #recovery(record: LogRecord): Told {
    this.#recoveredAt = record.ts
    const recovered = tellRecovered(record).filter((each) => !this.#toldKeys.has(tellingKey(each)))
    for (const each of recovered) this.#toldKeys.add(tellingKey(each))
    const { waterfall = null } = membersOf(membersOf(record.data)['case'] ?? null)
    this.#noteOffers(listOf(waterfall, 'steps'))
    return { ...plainly(record), recovered }
  }

  #answers(record: LogRecord): Told {
    const steps = listOf(membersOf(record.data)['result'] ?? null, 'steps').slice(this.#steps)
    this.#steps += steps.length
    this.#noteOffers(steps)
    const sentences = steps.length > 0 ? steps.map(lenderAnswer) : ['No lender was left to ask']
    return { ...bare(record), sentences, weight: 'mattered', kind: 'waterfall_step' }
  }

  #noteOffers(steps: readonly Json[]): void {
    this.#offeredBy = offeredBy(steps) ?? this.#offeredBy
  }

  /** The record itself does not name the lender whose offer it answers. */
  #offerReply(record: LogRecord): Told {
    const told = plainly(record)
    const lender = this.#offeredBy
    if (lender === undefined) return told
    return { ...told, sentences: told.sentences.map((sentence) => `${sentence}: ${lender}`) }
  }

  #part(record: LogRecord, key: string): Told {
    const from = this.#passed.get(key) ?? 0
    const to = from + textOf(record.data, 'delta').length
    this.#passed.set(key, to)
    const whole = this.#wholes.get(key) ?? ''
    const words = wordsBetween(whole, from, to)
    const of = PARTS.get(record.type)?.of ?? ''
    const sentences =
      words.trim() === ''
        ? [`The ${of} goes on within a word`]
        : [`Part of a ${of}: ${quoted(words)}`]
    return { ...bare(record), sentences, whole, weight: 'background', kind: 'part' }
  }
}

/** How a record reads by itself; one of an unknown kind is told by its name, not left out. */
function plainly(record: LogRecord): Told {
  const name = nameOf(record)
  const base = bare(record)
  const { payload } = base
  if (isRefusedShowing(record)) {
    const sentence = said(refusal, payload)
    return { ...base, weight: 'background', kind: 'background', sentences: [sentence] }
  }
  const telling = TELLINGS.get(name)
  if (telling) {
    const { kind, sentence } = telling
    return { ...base, weight: 'mattered', kind, sentences: [said(sentence, payload)] }
  }
  const background = BACKGROUND.get(name)
  return background === undefined
    ? { ...base, weight: 'mattered', kind: 'other', sentences: [`Recorded: ${inWords(name)}`] }
    : { ...base, weight: 'background', kind: 'background', sentences: [said(background, payload)] }
}

function bare(record: LogRecord): Pick<Told, 'record' | 'payload' | 'by' | 'whole'> {
  const { type, data, origin } = record
  const payload = type === 'CUSTOM' ? (membersOf(data)['value'] ?? null) : data
  const said = customValue(record, 'model_output')
  const whole = said === undefined ? {} : { whole: textOf(said, 'text') }
  const by: By = isOfPage(record) ? { ...origin, source: 'system', isPage: true } : origin
  return { record, payload, by, ...whole }
}

/** The type, or our name for what AG-UI has no word for; some that ended badly go by another. */
function nameOf(record: LogRecord): string {
  const { type, data } = record
  if (type === 'RUN_FINISHED' && outcomeOf(record) === 'cancelled') {
    return `${type}: ${cutOf(record) === 'stopped' ? 'cancelled' : 'limit'}`
  }
  if (type !== 'CUSTOM') return type
  const name = textOf(data, 'name')
  if (name !== 'throughline.model_output') return name
  const error = textOf(membersOf(data)['value'] ?? null, 'error')
  // What a person stopped did not fail.
  return error === '' || error === 'cancelled' ? name : `${name}: failed`
}
