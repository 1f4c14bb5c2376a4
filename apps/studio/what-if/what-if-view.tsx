import { useState } from 'react'
import { ClientError, membersOf, textOf } from 'throughline/client'
import { API, Banner, Button, CopyButton, sessionRequest, threadUrl } from '../../kit/index.ts'
import type { AuditQuery, Point } from '../audit-query.ts'
import { useAnswer } from '../use-answer.ts'
import { ForkView } from './fork-view.tsx'
import type { ForkShown } from './fork-view.tsx'
import styles from './what-if.module.css'
import view from '../view.module.css'
import { WHAT_IF_WORDS } from './words.ts'

export interface WhatIfViewProps {
  /** The record after which the thread is forked. */
  readonly at: Point
  readonly fork: string | undefined
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onSelect: (seq: number) => void
}

/** What would have followed from something else: a fork of the thread, which an operator may change. */
export function WhatIfView({ at, fork, onAsk, onSelect }: WhatIfViewProps) {
  return (
    <main className={view.page}>
      <header>
        <h2>{WHAT_IF_WORDS.title}</h2>
        <p className={styles.meta}>{WHAT_IF_WORDS.about}</p>
      </header>
      {fork === undefined ? (
        <Begin at={at} onBegun={(begun) => onAsk({ fork: begun, ev: undefined })} />
      ) : (
        <Forked
          key={fork}
          fork={fork}
          onEnd={() => onAsk({ fork: undefined })}
          onSelect={onSelect}
        />
      )}
      <section className={styles.command}>
        <h3>{WHAT_IF_WORDS.all}</h3>
        <p className={styles.meta}>{WHAT_IF_WORDS.allHint}</p>
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} name={WHAT_IF_WORDS.command} />
      </section>
    </main>
  )
}

const COMMAND = 'npx throughline replay --against ./next.ts STORE'

interface BeginProps {
  readonly at: Point
  readonly onBegun: (fork: string) => void
}

function Begin({ at: { thread, seq }, onBegun }: BeginProps) {
  const [status, setStatus] = useState<'ready' | 'asking' | 'refused' | 'failed'>('ready')
  const [why, setWhy] = useState('')
  const begin = (): void => {
    setStatus('asking')
    const url = `${threadUrl(thread)}/fork`
    sessionRequest(url, 'operator', { body: { at: seq } }).then(
      (answer) => onBegun(textOf(answer, 'fork')),
      (error: unknown) => {
        if (!(error instanceof ClientError)) throw error
        setWhy(error.problem?.detail ?? '')
        setStatus(NOT_AN_OPERATOR.includes(error.problem?.status ?? 0) ? 'refused' : 'failed')
      },
    )
  }
  return (
    <section className={styles.begin}>
      <Button readiness={status === 'asking' ? 'waiting' : 'ready'} onClick={begin}>
        {WHAT_IF_WORDS.begin(seq)}
      </Button>
      <p className={styles.meta}>{WHAT_IF_WORDS.beginHint}</p>
      <div role="status">
        {status === 'refused' && <Banner tone="warning">{WHAT_IF_WORDS.refused}</Banner>}
        {status === 'failed' && <Banner tone="problem">{WHAT_IF_WORDS.failed(why)}</Banner>}
      </div>
    </section>
  )
}

const NOT_AN_OPERATOR: readonly number[] = [401, 403, 404]

interface ForkedProps {
  readonly fork: string
  readonly onEnd: () => void
  readonly onSelect: (seq: number) => void
}

function Forked({ fork, onEnd, onSelect }: ForkedProps) {
  const [version, setVersion] = useState(0)
  const answer = useAnswer(`${API}/forks/${fork}`, { version: `${version}`, role: 'operator' })
  if (answer.status === 'asking') return <p role="status">{WHAT_IF_WORDS.loading}</p>
  if (answer.status === 'failed') {
    return (
      <section className={styles.begin}>
        <p role="status">{WHAT_IF_WORDS.gone}</p>
        <Button onClick={onEnd}>{WHAT_IF_WORDS.anew}</Button>
      </section>
    )
  }
  const { at, sameHashes, missed = [] } = membersOf(answer.value)
  const shown: ForkShown = {
    fork,
    thread: textOf(answer.value, 'thread'),
    at: Number(at),
    hash: textOf(answer.value, 'hash'),
    sameHashes: sameHashes === true,
    missed: Array.isArray(missed) ? missed.map(String) : [],
  }
  return (
    <ForkView
      shown={shown}
      onChanged={() => setVersion((count) => count + 1)}
      onEnd={onEnd}
      onSelect={onSelect}
    />
  )
}
