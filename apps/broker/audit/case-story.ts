import { customValue } from 'throughline/client'
import { membersOf, textOf } from 'throughline'
import type { Json, LogRecord } from 'throughline'
import { listOf, tellRecords } from '../../studio/story/index.ts'
import type { Told } from '../../studio/story/index.ts'
import { lenderAnswer } from './lender-answer.ts'
import { refusal } from './refusal.ts'
import { isOfPage, isRefusedShowing } from './refused-showing.ts'
import { tellRecovered, tellingKey } from './tell-recovered.ts'
import { CASE_TELLINGS, offeredBy } from './tellings.ts'

/** Tells every record of a case, oldest first, each once. Pure. */
export function storyOf(records: readonly LogRecord[]): readonly Told[] {
  return retellCase(tellRecords(records, CASE_TELLINGS))
}

/** Completes what records of a case tell by what the records before them told. Pure. */
export function retellCase(told: readonly Told[]): readonly Told[] {
  const story = new CaseStory()
  return told.map((each) => story.retell(each))
}

class CaseStory {
  /** The keys of the tellings so far that mattered. */
  readonly #toldKeys = new Set<string>()
  #steps = 0
  #recoveredAt: number | undefined
  /** The lender that made the latest counter-offer. */
  #offeredBy: string | undefined

  retell(before: Told): Told {
    const told = this.#retell(before)
    if (told.weight === 'background') return told
    const ts = new Date(told.record.ts).toISOString()
    for (const summary of told.sentences) {
      this.#toldKeys.add(tellingKey({ ts, kind: told.kind, summary }))
    }
    return told
  }

  #retell(told: Told): Told {
    switch (told.record.type) {
      case 'TEXT_MESSAGE_END':
        return this.#message(told)
      case 'waterfall_recorded':
        return this.#answers(told)
      case 'case_hydrated':
        return this.#recovery(told)
      case 'accept_counter_offer':
      case 'refuse_counter_offer':
        return this.#offerReply(told)
      default:
        return retellPlainly(told)
    }
  }

  /** A message that a seed brought back belongs to no run. */
  #message(told: Told): Told {
    if (told.kind !== 'message' || told.record.origin.run !== undefined) return told
    return this.#recoveredAt === undefined ? told : { ...told, restatedAt: this.#recoveredAt }
  }

  /** Leaves out facts of a seed that the story has told already. */
  #recovery(told: Told): Told {
    const { record } = told
    this.#recoveredAt = record.ts
    const recovered = tellRecovered(record).filter((each) => !this.#toldKeys.has(tellingKey(each)))
    for (const each of recovered) this.#toldKeys.add(tellingKey(each))
    const { waterfall = null } = membersOf(membersOf(record.data)['case'] ?? null)
    this.#noteOffers(listOf(waterfall, 'steps'))
    return { ...told, recovered }
  }

  #answers(told: Told): Told {
    const { result = null } = membersOf(told.payload)
    const steps = listOf(result, 'steps').slice(this.#steps)
    this.#steps += steps.length
    this.#noteOffers(steps)
    return steps.length === 0 ? told : { ...told, sentences: steps.map(lenderAnswer) }
  }

  #noteOffers(steps: readonly Json[]): void {
    this.#offeredBy = offeredBy(steps) ?? this.#offeredBy
  }

  /** The record itself does not name the lender whose offer it answers. */
  #offerReply(told: Told): Told {
    const lender = this.#offeredBy
    if (lender === undefined) return told
    return { ...told, sentences: told.sentences.map((sentence) => `${sentence}: ${lender}`) }
  }
}

function retellPlainly(told: Told): Told {
  const { record, payload } = told
  switch (record.type) {
    case 'present_disclosure':
      return byItsPage(told)
    case 'event_refused':
      return byItsPage(refused(told))
    case 'effect_requested':
      return textOf(payload, 'effect') === 'waterfall'
        ? { ...told, sentences: [asking(payload)] }
        : told
    default:
      return isLendersNote(record)
        ? { ...told, sentences: ['The model was told what the lenders answered'] }
        : told
  }
}

function byItsPage(told: Told): Told {
  if (!isOfPage(told.record)) return told
  return { ...told, by: { ...told.by, source: 'system', isPage: true } }
}

function refused(told: Told): Told {
  const sentences = [refusal(told.payload)]
  return isRefusedShowing(told.record)
    ? { ...told, sentences, weight: 'background', kind: 'background' }
    : { ...told, sentences }
}

function asking(payload: Json): string {
  const { fromIndex } = membersOf(payload)
  const asked = 'Lenders were asked'
  return typeof fromIndex === 'number'
    ? `${asked}, from number ${fromIndex + 1} of the panel on`
    : asked
}

/** The record of the lenders' answers has the figures. */
function isLendersNote(record: LogRecord): boolean {
  const note = customValue(record, 'note')
  return typeof note === 'string' && note.startsWith('[WATERFALL_RESULT_JSON')
}
