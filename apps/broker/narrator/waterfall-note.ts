import { z } from 'zod'
import type { CaseState, WaterfallResult } from '../case/index.ts'
import { inYears } from './figures.ts'

const offerFigures = z.object({
  lender: z.string(),
  term: z.string(),
  aprPct: z.number(),
  monthlyPayment: z.number(),
  totalPayable: z.number(),
})

const quoteFigures = z.object({
  amount: z.number(),
  term: z.string(),
  indicativeAprPct: z.number(),
  monthlyPayment: z.number(),
  totalPayable: z.number(),
})

const waterfallNews = z.object({
  requestedQuote: quoteFigures,
  steps: z.array(z.object({ lender: z.string(), kind: z.string() })),
  awaitingCounterDecision: z.boolean(),
  counterOffer: offerFigures.optional(),
  acceptedOffer: offerFigures.optional(),
  exhausted: z.boolean(),
  currentStatus: z.string(),
})

/** The lenders' answers for a narrator: each lender's decision, never its reason. */
export type WaterfallNews = z.infer<typeof waterfallNews>
export type OfferFigures = z.infer<typeof offerFigures>

const NOTE = /^\[WATERFALL_RESULT_JSON (\{.*\})\]$/

export function waterfallNote({ status }: CaseState, waterfall: WaterfallResult): string {
  const { steps, awaitingCounterDecision, acceptedOffer, exhausted } = waterfall
  const last = steps.at(-1)?.outcome
  const counter = awaitingCounterDecision && last && 'offer' in last ? last.offer : undefined
  const news: WaterfallNews = {
    requestedQuote: quoteFigures.parse(inWords(waterfall.requestedQuote)),
    steps: steps.map(({ lender, outcome }) => ({ lender, kind: outcome.kind })),
    awaitingCounterDecision,
    // Without its figures the narrator could not explain an offer that waits for a decision.
    ...(counter && { counterOffer: offerFigures.parse(inWords(counter)) }),
    ...(acceptedOffer && { acceptedOffer: offerFigures.parse(inWords(acceptedOffer)) }),
    exhausted,
    currentStatus: status,
  }
  return `[WATERFALL_RESULT_JSON ${JSON.stringify(news)}]`
}

/** The term as a narrator is to say it: people do not count in months. */
function inWords<Loan extends { readonly termMonths: number }>(loan: Loan) {
  return { ...loan, term: inYears(loan.termMonths) }
}

/** Reads the note back. A person can type one: it counts only while the case has that status. */
export function readWaterfallNote(note: string, status: string): WaterfallNews | undefined {
  const json = NOTE.exec(note)?.[1]
  const news = json === undefined ? undefined : waterfallNews.safeParse(parsed(json)).data
  return news?.currentStatus === status ? news : undefined
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
