import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { ClientError, isJsonArray, membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { Banner, Button, TextField, sessionRequest } from '../../kit/index.ts'
import type { Told } from '../story/index.ts'
import styles from './what-if.module.css'
import { WHAT_IF_WORDS } from './words.ts'

const { propose: PROPOSE, ask: ASK } = WHAT_IF_WORDS

export interface ForkFormsProps {
  /** The address of the thread in the fork. */
  readonly own: string
  /** What came next in the thread: what a person would do otherwise begins with it. */
  readonly next: Told | undefined
  readonly onDone: () => void
}

/** What happens in the fork: an event that somebody proposes, or a message to an agent. */
export function ForkForms({ own, next, onDone }: ForkFormsProps) {
  return (
    <div className={styles.forms}>
      <ProposeForm key={next?.record.id} own={own} next={next} onDone={onDone} />
      <AskForm own={own} onDone={onDone} />
    </div>
  )
}

type Outcome =
  | { readonly status: 'ready' | 'sending' | 'done' }
  | { readonly status: 'wrong'; readonly why: string }

function ProposeForm({ own, next, onDone }: ForkFormsProps) {
  const [type, setType] = useState(next?.record.type ?? '')
  const [data, setData] = useState(JSON.stringify(next?.payload ?? {}, null, 2))
  const [surface, setSurface] = useState(next?.record.origin.surface ?? '')
  const [outcome, setOutcome] = useState<Outcome>({ status: 'ready' })
  const propose = (event: SubmitEvent): void => {
    event.preventDefault()
    const read = jsonIn(data)
    if (!read) return setOutcome({ status: 'wrong', why: PROPOSE.noJson })
    setOutcome({ status: 'sending' })
    const body = { events: [{ type: type.trim(), data: read.json }] }
    const headers = surface === '' ? {} : { 'throughline-surface': surface }
    sessionRequest(`${own}/events`, 'operator', { body, headers }).then((answer) => {
      const why = refusalIn(answer)
      setOutcome(why === undefined ? { status: 'done' } : { status: 'wrong', why })
      onDone()
    }, failed(setOutcome))
  }
  return (
    <form className={styles.form} onSubmit={propose}>
      <h3>{PROPOSE.title}</h3>
      <p className={styles.meta}>{PROPOSE.hint}</p>
      <TextField id="fork-type" label={PROPOSE.type} value={type} onChange={setType} />
      <TextField id="fork-data" kind="lines" label={PROPOSE.data} value={data} onChange={setData} />
      <TextField
        id="fork-surface"
        label={PROPOSE.surface}
        hint={PROPOSE.surfaceHint}
        value={surface}
        onChange={setSurface}
      />
      <Send outcome={outcome} label={PROPOSE.send} />
    </form>
  )
}

function AskForm({ own, onDone }: Pick<ForkFormsProps, 'own' | 'onDone'>) {
  const [agent, setAgent] = useState('')
  const [input, setInput] = useState('')
  const [outcome, setOutcome] = useState<Outcome>({ status: 'ready' })
  const ask = (event: SubmitEvent): void => {
    event.preventDefault()
    setOutcome({ status: 'sending' })
    const body = { agent: agent.trim(), input }
    sessionRequest(`${own}/runs`, 'operator', { body }).then(() => {
      setOutcome({ status: 'done' })
      onDone()
    }, failed(setOutcome))
  }
  return (
    <form className={styles.form} onSubmit={ask}>
      <h3>{ASK.title}</h3>
      <p className={styles.meta}>{ASK.hint}</p>
      <TextField id="fork-agent" label={ASK.agent} value={agent} onChange={setAgent} />
      <TextField id="fork-input" kind="lines" label={ASK.input} value={input} onChange={setInput} />
      <Send outcome={outcome} label={ASK.send} />
    </form>
  )
}

function Send({ outcome, label }: { readonly outcome: Outcome; readonly label: string }) {
  return (
    <>
      <div role="status">
        {outcome.status === 'wrong' && <Banner tone="warning">{outcome.why}</Banner>}
        {outcome.status === 'done' && <p>{WHAT_IF_WORDS.done}</p>}
      </div>
      <Button
        type="submit"
        look="quiet"
        readiness={outcome.status === 'sending' ? 'waiting' : 'ready'}
      >
        {label}
      </Button>
    </>
  )
}

function failed(setOutcome: (outcome: Outcome) => void) {
  return (error: unknown): void => {
    if (!(error instanceof ClientError)) throw error
    setOutcome({ status: 'wrong', why: error.problem?.detail ?? WHAT_IF_WORDS.notSent })
  }
}

function jsonIn(text: string): { readonly json: Json } | undefined {
  try {
    // JSON.parse yields nothing but Json; its declared type is any.
    return { json: JSON.parse(text) as Json }
  } catch {
    return undefined
  }
}

function refusalIn(answer: Json): string | undefined {
  const { refused = null } = membersOf(answer)
  const [first] = isJsonArray(refused) ? refused : []
  if (first === undefined) return undefined
  return WHAT_IF_WORDS.propose.refused(textOf(first, 'reason'), textOf(first, 'detail'))
}
