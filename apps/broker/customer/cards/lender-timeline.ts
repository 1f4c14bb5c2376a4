import type { TimelineItem } from '../../../kit/index.ts'
import { time } from '../../../kit/index.ts'
import type { LenderProgress } from '../../case/lender-progress.ts'
import type { CaseView } from '../case-view.ts'
import { LENDER_WORDS } from './lender-words.ts'

/** Returns the progress with the lenders: sent first, then lender by lender. Pure. */
export function progressItems(view: CaseView): readonly TimelineItem[] {
  const { sending, sent } = LENDER_WORDS
  const { submittedAt, status } = view
  const isSent = submittedAt !== undefined || status !== 'quote_ready'
  const first: TimelineItem = isSent
    ? { key: 'sent', status: 'done', title: sent, ...(submittedAt && { when: clock(submittedAt) }) }
    : { key: 'sent', status: 'now', title: sending }
  return [first, ...lenderItems(view)]
}

/** Each lender with its answer or its turn, in the order in which they are asked. Pure. */
export function lenderItems(view: CaseView): readonly TimelineItem[] {
  const lenders = view.lenders ?? answersWithoutTimes(view)
  return lenders.map((progress, index) => {
    return { key: progress.lender, ...itemOf(progress, lenders[index - 1]?.lender) }
  })
}

/** Older cases know the answers alone. */
function answersWithoutTimes({ waterfall }: CaseView): readonly LenderProgress[] {
  return (waterfall?.steps ?? []).map(({ lender, outcome }) => {
    return { lender, status: 'answered', answer: outcome.kind }
  })
}

function itemOf(progress: LenderProgress, before: string | undefined): Omit<TimelineItem, 'key'> {
  const { deciding, askedAt, onlyIf, asked } = LENDER_WORDS
  const { lender } = progress
  switch (progress.status) {
    case 'answered':
      return { status: 'done', title: lender, when: answerText(progress) }
    case 'asking':
      return { status: 'now', title: deciding(lender), when: askedAt(clock(progress.askedAt)) }
    case 'next':
      return {
        status: 'later',
        title: lender,
        ...(before !== undefined && { when: onlyIf(before) }),
      }
    case 'not_asked':
      return { status: 'later', title: lender, when: asked.notAsked }
  }
}

function answerText({
  answer,
  answeredAt,
}: Extract<LenderProgress, { readonly status: 'answered' }>): string {
  const words = LENDER_WORDS.asked
  return answeredAt === undefined ? words[answer] : words[`${answer}At`](clock(answeredAt))
}

function clock(iso: string): string {
  return time(Date.parse(iso))
}
