import { ON_PAGE } from './page-names.ts'

const COUNTED_SUPPORT =
  `Thank you for telling us. It does not affect any decision. ${ON_PAGE.person}, ` +
  'under Help, is there if you would like to talk about it.'
const NOT_SAVED = 'That could not be saved, so nothing has changed.'

/** The scripted narrator's sentence for each note, by the note's beginning. */
const SENTENCES: readonly (readonly [note: RegExp, sentence: string])[] = [
  [/^\[The customer pressed the button that confirms /, 'Thank you.'],
  [
    /^\[The customer answered the eligibility questions and meets /,
    'You meet all four requirements.',
  ],
  [/^\[The customer would like the quote by email/, 'Your choice is saved.'],
  [/^\[The customer does not want the quote by email/, 'Your choice is saved.'],
  [/^\[The customer sent the application form/, 'Your details are saved.'],
  [/^\[The customer answered the support card and marked nothing/, 'Thank you.'],
  [/^\[The customer answered the support card and marked \d/, COUNTED_SUPPORT],
  [/^\[The customer granted the credit search/, 'You have granted the credit search.'],
  [/^\[The customer accepted /, 'Your acceptance is recorded.'],
  [/^\[The customer refused the counter-offer/, 'The next lender is asked.'],
  [/^\[Not recorded: /, NOT_SAVED],
]

const QUOTE = /^\[The customer chose a term of (\d[\w ]*)\. Indicative (APR .+)\.\]$/

/** The news of this turn, in the order of the notes. */
export function tellNews(notes: readonly string[]): readonly string[] {
  return [...new Set(notes.flatMap(tell))]
}

function tell(note: string): readonly string[] {
  const [, term, figures] = QUOTE.exec(note) ?? []
  if (term && figures) {
    return [`Over ${term}: ${figures}. This is indicative: an estimate and not an offer.`]
  }
  const known = SENTENCES.find(([begins]) => begins.test(note))
  return known ? [known[1]] : []
}
