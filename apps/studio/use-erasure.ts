import { useState } from 'react'
import { ClientError, textOf } from 'throughline/client'
import type { LogRecord } from 'throughline/client'
import { sessionRequest, threadUrl } from '../kit/index.ts'

/** The record that the person of a thread was erased. */
export interface Erased {
  readonly seq: number
  readonly at: number
  readonly by: string
  readonly why: string
}

export function erasureIn(records: readonly LogRecord[]): Erased | undefined {
  const record = records.find(({ type }) => type === 'thread_erased')
  if (!record) return undefined
  const { seq, ts: at, data } = record
  return { seq, at, by: textOf(data, 'by'), why: textOf(data, 'why') }
}

export interface Erasing {
  /** `refused`: whoever uses this browser is no operator. */
  readonly status: 'ready' | 'erasing' | 'refused' | 'failed'
  readonly erase: (why: string) => void
}

/** Erases the person of a thread as the operator, whose session the browser has to hold. */
export function useErasure(thread: string): Erasing {
  const [status, setStatus] = useState<Erasing['status']>('ready')
  const erase = (why: string): void => {
    setStatus('erasing')
    const url = `${threadUrl(thread)}/erase`
    sessionRequest(url, 'operator', { body: { why } }).then(
      () => setStatus('ready'),
      (error: unknown) => {
        if (!(error instanceof ClientError)) throw error
        setStatus(REFUSALS.includes(error.problem?.status ?? 0) ? 'refused' : 'failed')
      },
    )
  }
  return { status, erase }
}

const REFUSALS: readonly number[] = [401, 403, 404]
