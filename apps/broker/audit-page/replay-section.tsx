import { useState } from 'react'
import { ClientError } from 'throughline/client'
import type { ReplaySummary } from '../audit/disclosure-replay.ts'
import { Button, SelectField, SummaryList, percent, sessionRequest } from '../../kit/index.ts'
import styles from './panes.module.css'
import { inWords, plainValue } from '../../studio/story/index.ts'
import { FileSection, ItemList, withReveal } from '../../studio/index.ts'
import type { PaneProps } from '../../studio/index.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.replay
const RUNS = ['1', '3', '5', '10', '20']
const RUNS_DEFAULT = '5'

type Replay =
  | { readonly status: 'idle' | 'asking' | 'failed' }
  | { readonly status: 'done'; readonly summary: ReplaySummary }

type ReplaySectionProps = Pick<PaneProps, 'thread' | 'reveal'>

/** Asks the model again whether it would show each disclosure; only on a press of the button. */
export function ReplaySection({ thread, reveal }: ReplaySectionProps) {
  const [runs, chooseRuns] = useState(RUNS_DEFAULT)
  const [replay, setReplay] = useState<Replay>({ status: 'idle' })
  const start = (): void => {
    setReplay({ status: 'asking' })
    const url = withReveal(`/api/audit/${encodeURIComponent(thread)}/replay`, reveal)
    sessionRequest(url, 'auditor', { body: { n: Number(runs) } }).then(
      // Our own server's answer, in the shape that it is made in.
      (answer) => setReplay({ status: 'done', summary: answer as unknown as ReplaySummary }),
      (error: unknown) => {
        if (!(error instanceof ClientError)) throw error
        setReplay({ status: 'failed' })
      },
    )
  }
  return (
    <FileSection title={WORDED.title} wanted="closed">
      {() => (
        <>
          <p>{WORDED.what}</p>
          <SelectField
            id="runs"
            label={WORDED.runs}
            value={runs}
            options={RUNS.map((count) => ({ value: count, label: count }))}
            onChange={chooseRuns}
          />
          <div>
            <Button
              look="quiet"
              readiness={replay.status === 'asking' ? 'waiting' : 'ready'}
              onClick={start}
            >
              {WORDED.start}
            </Button>
          </div>
          <div role="status">
            {replay.status === 'asking' && <p>{WORDED.asking}</p>}
            {replay.status === 'failed' && <p>{WORDED.failed}</p>}
            {replay.status === 'done' && <ReplayResult summary={replay.summary} />}
          </div>
        </>
      )}
    </FileSection>
  )
}

function ReplayResult({ summary }: { readonly summary: ReplaySummary }) {
  const { disclosures, overallPassRate, totalRuns } = summary
  const rate = percent(overallPassRate * 100)
  return (
    <>
      <SummaryList rows={[{ name: WORDED.overall, value: WORDED.rate(rate, totalRuns) }]} />
      <ItemList>
        {disclosures.map(({ disclosureId, passed, hardPassed, runs, failures }) => (
          <li key={disclosureId}>
            <h3 className={styles.sentenceCase}>{inWords(disclosureId)}</h3>
            <p>{WORDED.passed(passed, runs)}</p>
            {passed > hardPassed && <p>{WORDED.byTitle(passed - hardPassed)}</p>}
            {failures.length > 0 && <p>{WORDED.instead}</p>}
            {failures.map(({ runIndex, snippet }) => (
              <blockquote key={runIndex} className={styles.body} dir="auto">
                {plainValue(snippet)}
              </blockquote>
            ))}
          </li>
        ))}
      </ItemList>
    </>
  )
}
