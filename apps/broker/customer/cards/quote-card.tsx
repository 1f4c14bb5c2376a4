import { Button, Note, TermChips, useDraft } from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { CardFrame } from '../card-frame.tsx'
import { draftKey } from '../draft-key.ts'
import type { OfferedQuote } from '../quotes.ts'
import { shownQuote } from '../quotes.ts'
import { useQuotes } from '../use-quotes.ts'
import { WORDS } from '../words.ts'
import styles from './cards.module.css'
import { LoanFigures } from './loan-figures.tsx'
import { QuoteSmallPrint } from './quote-small-print.tsx'
import { QUOTE_WORDS } from './quote-words.ts'
import { TERM_WORDS } from './term-words.ts'
import { termText } from './term.ts'

const MONTHS_A_YEAR = 12

/** Asks for the term of the loan, with the cost of each. */
export function QuoteCard(props: CardProps) {
  const offered = useQuotes(props.entry)
  const { title, loading, failed } = QUOTE_WORDS
  switch (offered.status) {
    case 'loading':
      return (
        <CardFrame title={title}>
          <p role="status">{loading}</p>
        </CardFrame>
      )
    case 'failed':
      return (
        <CardFrame
          title={title}
          actions={<Button onClick={offered.retry}>{WORDS.tryAgain}</Button>}
        >
          <p role="alert">{failed}</p>
        </CardFrame>
      )
    case 'ready':
      return <QuoteForm {...props} quotes={offered.quotes} />
  }
}

function QuoteForm(props: CardProps & { readonly quotes: readonly OfferedQuote[] }) {
  const { entry, view, quotes, readiness, record } = props
  const [{ term }, setDraft, forget] = useDraft(draftKey('quote', entry), {
    term: `${view.provisionalQuote?.termMonths ?? ''}`,
  })
  const shown = shownQuote(quotes, term)
  const words = QUOTE_WORDS
  if (!shown) {
    return (
      <CardFrame title={words.title} lead={words.none}>
        <p>{words.askInstaller}</p>
      </CardFrame>
    )
  }
  const submit = (): void => {
    record([{ type: 'record_provisional_quote', data: { termMonths: shown.termMonths } }], forget)
  }
  return (
    <CardFrame
      title={words.title}
      onSubmit={submit}
      actions={
        <Button type="submit" readiness={readiness}>
          {words.continueWith(termText(shown.termMonths))}
        </Button>
      }
    >
      <TermChips
        id="termMonths"
        label={words.term}
        terms={quotes.map(chipOf)}
        chosen={`${shown.termMonths}`}
        onChange={(value) => setDraft({ term: value })}
      />
      <section className={styles.panel} aria-live="polite">
        <LoanFigures loan={shown} rate="representative" />
      </section>
      <Note>
        <b>{words.estimate}</b> {words.estimateMeans}
      </Note>
      <QuoteSmallPrint quotes={quotes} shown={shown} project={view.project} />
    </CardFrame>
  )
}

/** Shows whole years above their unit, any other term in months. */
function chipOf({ termMonths }: OfferedQuote) {
  const years = termMonths / MONTHS_A_YEAR
  const isWhole = Number.isInteger(years)
  return {
    value: `${termMonths}`,
    figure: `${isWhole ? years : termMonths}`,
    unit: isWhole ? TERM_WORDS.unit(years) : TERM_WORDS.monthsUnit,
  }
}
