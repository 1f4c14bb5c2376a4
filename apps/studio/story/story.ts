import { customValue, cutOf, membersOf, outcomeOf, textOf } from 'throughline/client'
import type { Json, LogRecord, Origin } from 'throughline/client'
import { BACKGROUND, PARTS } from './background.ts'
import { LIBRARY_TELLINGS } from './library-tellings.ts'
import { recordName } from './record-name.ts'
import { HIDDEN, isRedacted, withoutMarker } from './redacted.ts'
import { inWords, quoted, said } from './sentence.ts'
import type { Sentence, Telling, Tellings } from './sentence.ts'
import type { Told } from './told.ts'
import { wordsBetween } from './whole-words.ts'

/** Tells every record of a thread, oldest first, each once; `tellings` are the application's own. Pure. */
export function tellRecords(
  records: readonly LogRecord[],
  tellings: Tellings = {},
): readonly Told[] {
  const story = new Story(wholesOf(records), tellings)
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
  readonly #tellings: Tellings
  /** The length of a message's parts so far. */
  readonly #passed = new Map<string, number>()
  readonly #speakers = new Map<string, Origin>()

  constructor(wholes: Wholes, tellings: Tellings) {
    this.#wholes = wholes
    this.#tellings = tellings
  }

  tell(record: LogRecord): Told {
    const id = textOf(record.data, 'messageId')
    switch (record.type) {
      case 'TEXT_MESSAGE_START':
        this.#speakers.set(id, record.origin)
        return this.#plainly(record)
      case 'TEXT_MESSAGE_END':
        return this.#message(record, id)
      default: {
        const key = partOf(record)
        return key === undefined ? this.#plainly(record) : this.#part(record, key)
      }
    }
  }

  #message(record: LogRecord, id: string): Told {
    const whole = this.#wholes.get(`message ${id}`) ?? ''
    const by = this.#speakers.get(id) ?? record.origin
    if (whole.trim() === '') return { ...this.#plainly(record), by }
    if (isRedacted(whole)) {
      const sentences = ['Hidden: a message']
      return { ...bare(record), by, whole: HIDDEN, sentences, weight: 'mattered', kind: 'message' }
    }
    const sentences = [quoted(whole)]
    return { ...bare(record), by, whole, sentences, weight: 'mattered', kind: 'message' }
  }

  #part(record: LogRecord, key: string): Told {
    const from = this.#passed.get(key) ?? 0
    const to = from + textOf(record.data, 'delta').length
    this.#passed.set(key, to)
    const whole = this.#wholes.get(key) ?? ''
    if (isRedacted(whole)) {
      const sentences = ['Hidden: a part of a text']
      return { ...bare(record), sentences, whole: HIDDEN, weight: 'background', kind: 'part' }
    }
    const words = wordsBetween(whole, from, to)
    const of = PARTS.get(record.type)?.of ?? ''
    const sentences =
      words.trim() === ''
        ? [`The ${of} goes on within a word`]
        : [`Part of a ${of}: ${quoted(words)}`]
    return { ...bare(record), sentences, whole, weight: 'background', kind: 'part' }
  }

  /** Tells one record without its context; one of an unknown type appears by its name. */
  #plainly(record: LogRecord): Told {
    const name = nameOf(record)
    const base = bare(record)
    const { payload } = base
    const telling = tellingOf(this.#tellings, name) ?? tellingOf(LIBRARY_TELLINGS, name)
    if (telling) {
      const { kind = name, sentence } = telling
      return { ...base, weight: 'mattered', kind, sentences: [tell(sentence, payload)] }
    }
    const background = BACKGROUND.get(name)
    return background === undefined
      ? { ...base, weight: 'mattered', kind: 'other', sentences: [`Recorded: ${inWords(name)}`] }
      : {
          ...base,
          weight: 'background',
          kind: 'background',
          sentences: [tell(background, payload)],
        }
  }
}

function tell(sentence: Sentence, payload: Json): string {
  return withoutMarker(said(sentence, payload))
}

function tellingOf(tellings: Tellings, name: string): Telling | undefined {
  return Object.hasOwn(tellings, name) ? tellings[name] : undefined
}

function bare(record: LogRecord): Pick<Told, 'record' | 'payload' | 'by' | 'whole'> {
  const { type, data, origin } = record
  const payload = type === 'CUSTOM' ? (membersOf(data)['value'] ?? null) : data
  const said = customValue(record, 'model_output')
  const whole = said === undefined ? {} : { whole: withoutMarker(textOf(said, 'text')) }
  return { record, payload, by: origin, ...whole }
}

/** The type, or our name for what AG-UI has no word for; some that ended badly go by another. */
function nameOf(record: LogRecord): string {
  const { type, data } = record
  if (type === 'RUN_FINISHED' && outcomeOf(record) === 'cancelled') {
    return `${type}: ${cutOf(record) === 'stopped' ? 'cancelled' : 'limit'}`
  }
  const name = recordName(record)
  if (name !== 'throughline.model_output') return name
  const error = textOf(membersOf(data)['value'] ?? null, 'error')
  // A cancelled call did not fail.
  return error === '' || error === 'cancelled' ? name : `${name}: failed`
}
