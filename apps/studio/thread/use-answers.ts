import { useState } from 'react'
import type { Wait } from 'throughline/activity'
import type { Json } from 'throughline/json'
import { useSend } from 'throughline/react'
import type { FieldError, PageEntry } from '../../kit/index.ts'
import { asJson } from './json-text.ts'
import { WORDS } from './words.ts'

export type Verdict = 'approve' | 'refuse'

/** What a person has entered so far, by field. */
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
  { thread, role }: PageEntry,
  run: string,
  waits: readonly Wait[],
): Answers {
  const path = `/api/threads/${encodeURIComponent(thread)}/runs/${encodeURIComponent(run)}/resume`
  const { send, retry, ...sending } = useSend(path, { role })
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [touched, setTouched] = useState<'no' | 'sent'>('no')
  const deliver = (entered: ReadonlyMap<string, string>): void => {
    const values = waits.map((wait) => [wait.id, valuesOf(wait, entered)] as const)
    setTouched('sent')
    void send({ values: Object.fromEntries(values) })
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
    retry: () => void retry(),
    state:
      sending.status === 'failed'
        ? { status: 'failed', why: sending.error.problem?.detail ?? '' }
        : { status: touched === 'sent' ? 'sent' : 'open' },
  }
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
