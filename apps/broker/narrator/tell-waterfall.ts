import { inPercent, inPounds } from './figures.ts'
import type { OfferFigures, WaterfallNews } from './waterfall-note.ts'

export const NO_OFFER =
  'No lender on our panel has made an offer, so there is no loan and you owe nothing. The card has ' +
  'free help with money, if you would like it.'
const NO_OTHER_OFFER =
  'You said no to the offer that there was, so there is no loan and you owe nothing. The card has ' +
  'free help with money, if you would like it.'
export const STILL_ASKING =
  'The lenders are being asked, one at a time. This page shows their answers.'

/** Says what the lenders answered, with the figures of the note and no others. */
export function tellWaterfall(news: WaterfallNews): string {
  const { counterOffer, acceptedOffer, exhausted } = news
  const before = tellDeclined(news, counterOffer ?? acceptedOffer)
  if (counterOffer) return before + tellCounter(news, counterOffer)
  if (acceptedOffer) return before + tellApproval(acceptedOffer)
  if (!exhausted) return STILL_ASKING
  const hadOffer = news.steps.some(({ kind }) => kind === 'approved_with_counter')
  return before + (hadOffer ? NO_OTHER_OFFER : NO_OFFER)
}

function tellApproval(offer: OfferFigures): string {
  return (
    `${offer.lender} has approved the loan: ${figures(offer)}. The card shows the offer. Nothing is ` +
    'agreed until you accept it there.'
  )
}

function tellCounter({ requestedQuote }: WaterfallNews, offer: OfferFigures): string {
  const asked = { ...requestedQuote, aprPct: requestedQuote.indicativeAprPct }
  return (
    `${offer.lender} offers different terms: ${figures(offer)}. You asked for ${figures(asked)}. ` +
    'You can accept this offer or ask the next lender. The choice is yours.'
  )
}

/** Lenders that said no on the way; a lender that gave no answer is named as that. */
function tellDeclined({ steps }: WaterfallNews, offer: OfferFigures | undefined): string {
  const sentences = steps
    .filter(({ lender }) => lender !== offer?.lender)
    .flatMap(({ lender, kind }) => {
      if (kind === 'declined') return [`${lender} has declined. `]
      return kind === 'unavailable' ? [`${lender} gave no answer. `] : []
    })
  return sentences.join('')
}

function figures(terms: Omit<OfferFigures, 'lender'>): string {
  const { term, aprPct, monthlyPayment, totalPayable } = terms
  return (
    `${term} at ${inPercent(aprPct)} APR, ${inPounds(monthlyPayment)} a month, ` +
    `${inPounds(totalPayable)} in total`
  )
}
