import {
  Banner,
  Button,
  Card,
  ChoiceField,
  Form,
  SummaryList,
  errorAt,
  money,
  percent,
  useDraft,
  useFieldErrors,
} from '../../../kit/index.ts'
import type { CardProps } from '../actions.ts'
import { draftKey } from '../draft-key.ts'
import type { OfferedQuote } from '../quotes.ts'
import { useQuotes } from '../use-quotes.ts'
import { WORDS } from '../words.ts'

const FIELD = 'termMonths'

export function QuoteCard(props: CardProps) {
  const offered = useQuotes(props.entry)
  return (
    <Card title={WORDS.quote.title}>
      <p>{WORDS.quote.text}</p>
      {offered.status === 'loading' && <p role="status">{WORDS.loading}</p>}
      {offered.status === 'failed' && (
        <Button look="secondary" onClick={offered.retry}>
          {WORDS.tryAgain}
        </Button>
      )}
      {offered.status === 'ready' && <QuoteForm {...props} quotes={offered.quotes} />}
    </Card>
  )
}

function QuoteForm(props: CardProps & { readonly quotes: readonly OfferedQuote[] }) {
  const { entry, view, quotes, readiness, record } = props
  const [{ term }, setDraft, forget] = useDraft(draftKey('quote', entry), {
    term: `${view.provisionalQuote?.termMonths ?? ''}`,
  })
  const chosen = quotes.find(({ termMonths }) => `${termMonths}` === term)
  const { errors, check } = useFieldErrors(
    chosen ? [] : [{ field: FIELD, message: WORDS.quote.missing }],
  )
  const submit = (): void => {
    if (!check() || !chosen) return
    const data = { termMonths: chosen.termMonths }
    record([{ type: 'record_provisional_quote', data }], forget)
  }
  if (quotes.length === 0) return <Banner tone="warning">{WORDS.quote.none}</Banner>
  return (
    <Form errors={errors} onSubmit={submit}>
      <ChoiceField
        id={FIELD}
        kind="one"
        label={WORDS.quote.term}
        chosen={[term]}
        options={quotes.map(({ termMonths }) => ({
          value: `${termMonths}`,
          label: WORDS.quote.months(termMonths),
        }))}
        error={errorAt(errors, FIELD)}
        onChange={([value = '']) => setDraft({ term: value })}
      />
      <div role="status">{chosen && <SummaryList rows={figuresOf(chosen)} />}</div>
      <Button type="submit" readiness={readiness}>
        {WORDS.quote.use}
      </Button>
    </Form>
  )
}

function figuresOf(quote: OfferedQuote) {
  return [
    { name: WORDS.quote.amount, value: money(quote.amount) },
    { name: WORDS.quote.apr, value: percent(quote.indicativeAprPct) },
    { name: WORDS.quote.monthly, value: money(quote.monthlyPayment) },
    { name: WORDS.quote.total, value: money(quote.totalPayable) },
  ]
}
