import { useState } from 'react'
import type { Json, Wait, WaitingTurn } from 'throughline/client'
import type { LiveAgentThread, PendingRequest } from 'throughline/react'
import type { FieldError } from '../../kit/index.ts'
import { asJson } from './json-text.ts'
import { WORDS } from './words.ts'
import { inBackground } from '../../kit/index.ts'

export type Verdict = 'approve' | 'refuse'

/** A person's entries so far, by field. */
export interface Answers {
  readonly text: (field: string) => string
  readonly setText: (field: string, text: string) => void
  readonly errors: readonly FieldError[]
  /** Sends everything that was asked for, unless something is missing. */
  readonly submit: () => void
  /** Answers the one question that there is. */
  readonly decide: (verdict: Verdict) => void
  readonly retry: () => void
  /** `sent` until the stream shows the answer: that alone means that it is recorded. */
  readonly state:
    | { readonly status: 'open' }
    | { readonly status: 'sent' }
    | { readonly status: 'failed'; readonly why: string }
}

/** The field of one value of one question. */
export function fieldOf({ id }: Wait, name: string): string {
  return `${id}:${name}`
}

export const VERDICT = 'verdict'
export const REASON = 'reason'

export function useAnswers(
  { pending, answer, retry }: LiveAgentThread,
  { run, waits }: WaitingTurn,
): Answers {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const sent = pending.findLast(({ request }) => request.kind === 'answer' && request.run === run)
  const deliver = (entered: ReadonlyMap<string, string>): void => {
    const values = waits.map((wait) => [wait.id, valuesOf(wait, entered)] as const)
    inBackground(answer(run, Object.fromEntries(values)))
  }
  return {
    text: (field) => texts.get(field) ?? '',
    setText: (field, text) => setTexts(new Map(texts).set(field, text)),
    errors,
    submit: () => {
      const missing = waits.flatMap((wait) => missingIn(wait, texts))
      setErrors(missing)
      if (missing.length === 0) deliver(texts)
    },
    decide: (verdict) => {
      const [wait] = waits
      if (wait) deliver(new Map(texts).set(fieldOf(wait, VERDICT), verdict))
    },
    retry: () => inBackground(sent && retry(sent.key)),
    state: stateOf(sent),
  }
}

function stateOf(sent: PendingRequest | undefined): Answers['state'] {
  if (!sent) return { status: 'open' }
  const { state } = sent
  if (state.status !== 'failed') return { status: 'sent' }
  return { status: 'failed', why: state.error.problem?.detail ?? '' }
}

function valuesOf(wait: Wait, entered: ReadonlyMap<string, string>): Json {
  const of = (name: string): string => entered.get(fieldOf(wait, name)) ?? ''
  if (wait.reason === 'tool_approval') {
    const reason = of(REASON).trim()
    return { approved: of(VERDICT) === 'approve', ...(reason === '' ? {} : { reason }) }
  }
  const names = Object.keys(wait.requestKeys)
  const value = (name: string): Json =>
    wait.reason === 'client_tool' ? asJson(of(name)) : of(name)
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}

function missingIn(wait: Wait, entered: ReadonlyMap<string, string>): readonly FieldError[] {
  const asked =
    wait.reason === 'tool_approval'
      ? [[VERDICT, WORDS.wait.decision] as const]
      : Object.entries(wait.requestKeys)
  return asked.flatMap(([name, label]) => {
    const field = fieldOf(wait, name)
    const given = entered.get(field) ?? ''
    return given.trim() === '' ? [{ field, message: WORDS.wait.missing(label) }] : []
  })
}
