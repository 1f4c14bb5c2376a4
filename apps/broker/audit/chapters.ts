import { membersOf } from 'throughline'
import type { LogRecord } from 'throughline'
import type { Told } from '../../studio/story/index.ts'

/** The parts of a case in the order in which they happen. */
export const CHAPTERS = ['project', 'firm', 'answers', 'consent', 'lenders', 'offer'] as const
export type ChapterName = (typeof CHAPTERS)[number]

/** Records of one part of a case, one after another. */
export interface Chapter {
  readonly name: ChapterName
  readonly from: number
  /** The seq of its last record. */
  readonly to: number
  /** Milliseconds from its first record to its last. */
  readonly tookMs: number
}

/** Divides a case by what happened in it; a thread that is no case has no chapters. Pure. */
export function chaptersOf(story: readonly Told[]): readonly Chapter[] {
  if (!story.some(({ record }) => CASE_BEGINS.has(record.type))) return []
  const chapters: { name: ChapterName; first: LogRecord; last: LogRecord }[] = []
  for (const { record } of story) {
    const current = chapters.at(-1)
    const at = CHAPTERS.indexOf(current?.name ?? 'project')
    const next = CHAPTERS.findLastIndex((name, place) => place > at && BEGINS[name](record))
    if (current && next === -1) current.last = record
    else chapters.push({ name: CHAPTERS[next] ?? 'project', first: record, last: record })
  }
  return chapters.map(({ name, first, last }) => ({
    name,
    from: first.seq,
    to: last.seq,
    tookMs: last.ts - first.ts,
  }))
}

const CASE_BEGINS = new Set(['case_created', 'case_hydrated'])

/** Whether a record is the first of a part. */
const BEGINS: Readonly<Record<ChapterName, (record: LogRecord) => boolean>> = {
  project: () => false,
  firm: (record) => isShown(record, 'service_status'),
  answers: ({ type }) => type === 'record_eligibility',
  consent: (record) => isShown(record, 'credit_search_consent'),
  lenders: ({ type }) => type === 'submit_application',
  offer: ({ type, data }) =>
    OFFER_ENDS.has(type) || (type === 'case_outcome' && membersOf(data)['kind'] !== 'declined'),
}

const OFFER_ENDS = new Set(['accept_counter_offer', 'refuse_counter_offer', 'select_offer'])

function isShown({ type, data }: LogRecord, id: string): boolean {
  return type === 'present_disclosure' && membersOf(data)['id'] === id
}
