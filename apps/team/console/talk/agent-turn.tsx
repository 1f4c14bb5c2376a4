import { Brain, ChevronRight, Monitor } from 'lucide'
import type { ReactNode } from 'react'
import { visibleText } from 'throughline/client'
import { Icon, ToolCall, VisuallyHidden, duration, time } from '../../../kit/index.ts'
import type { CallWords } from '../../../kit/index.ts'
import { TOOL_OUTPUT_CHARS_MAX } from '../../events/output.ts'
import { KnownFace } from '../grid/known-face.tsx'
import { panelLink } from '../use-panel.ts'
import type { AgentEntry, CallPart, Part, SaidPart } from '../view/talk.ts'
import type { TeamView } from '../view/team-view.ts'
import { WORDS } from '../words.ts'
import { Spinner } from './spinner.tsx'
import styles from './turn.module.css'

const NOTICED_MS = 50
/** Steps of an agent in a row that are drawn; earlier ones are folded. */
const STEPS_SHOWN = 6

export interface AgentTurnProps {
  readonly entry: AgentEntry
  readonly agents: TeamView['agents']
  readonly artifacts: TeamView['artifacts']
  readonly shows: 'talk' | 'work'
}

/** What an agent said, and the work that hangs from it. */
export function AgentTurn({ entry, agents, artifacts, shows }: AgentTurnProps) {
  const { who, to, ts, parts } = entry
  const shown = shows === 'work' ? parts : parts.filter(({ kind }) => kind === 'said')
  if (shown.length === 0) return null
  return (
    <li className={styles.turn}>
      <article aria-label={`${who}, ${time(ts)}`}>
        <a
          className={styles.dot}
          href={panelLink('agent', who)}
          aria-label={WORDS.agents.open(who)}
        >
          <KnownFace agents={agents} name={who} />
        </a>
        <header className={styles.who}>
          <b>{visibleText(who)}</b>
          {to !== null && <span className={styles.meta}>{WORDS.chat.to(to)}</span>}
          <time className={styles.at}>{time(ts)}</time>
        </header>
        <div className={styles.said}>
          {inRuns(shown).map((run) => (
            <Run key={run[0]?.key} parts={run} artifacts={artifacts} />
          ))}
        </div>
      </article>
    </li>
  )
}

/** Words stand alone; thoughts and calls that follow each other stand together. */
function inRuns(parts: readonly Part[]): readonly (readonly Part[])[] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (last && part.kind !== 'said' && last[0]?.kind !== 'said') last.push(part)
    else runs.push([part])
  }
  return runs
}

interface RunProps {
  readonly parts: readonly Part[]
  readonly artifacts: TeamView['artifacts']
}

function Run({ parts, artifacts }: RunProps) {
  const from = parts.length > STEPS_SHOWN ? parts.length - STEPS_SHOWN + 1 : 0
  return (
    <>
      {from > 0 && (
        <Folded summary={WORDS.chat.steps(from)}>
          <Steps parts={parts.slice(0, from)} artifacts={artifacts} />
        </Folded>
      )}
      <Steps parts={parts.slice(from)} artifacts={artifacts} />
    </>
  )
}

function Folded({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary className={styles.foldedSummary}>
        <Icon shape={ChevronRight} /> {summary}
      </summary>
      <div className={styles.inner}>{children}</div>
    </details>
  )
}

function Steps({ parts, artifacts }: RunProps) {
  return parts.map((part) =>
    part.kind === 'call' ? (
      <Call key={part.key} call={part} artifacts={artifacts} />
    ) : (
      <Words key={part.key} part={part} />
    ),
  )
}

function Words({ part }: { readonly part: SaidPart }) {
  if (part.kind === 'said') {
    return (
      <p className={styles.text} dir="auto">
        {part.text}
      </p>
    )
  }
  return (
    <details className={styles.thought}>
      <summary>
        <Icon shape={Brain} /> <b>{WORDS.chat.thought}</b>
        <span className={styles.start}>{part.text}</span>
      </summary>
      <p className={styles.text} dir="auto">
        {part.text}
      </p>
    </details>
  )
}

function Call({ call, artifacts }: { readonly call: CallPart } & Pick<RunProps, 'artifacts'>) {
  const { name, input, state, output, drawn, parts } = call
  const written = artifacts.find(({ filename }) => isWrittenBy(call, filename))
  const hasMore = parts.length > 0 || written !== undefined
  return (
    <ToolCall
      name={name}
      input={input}
      hasFailed={state === 'failed'}
      outcome={outcomeOf(state)}
      time={timeOf(call)}
      isCut={(output?.length ?? 0) >= TOOL_OUTPUT_CHARS_MAX}
      {...(output !== undefined && { output })}
      {...(drawn.length > 0 && { words: drawnWords(drawn) })}
    >
      {hasMore && (
        <>
          {written && (
            <a className={styles.document} href={panelLink('documents', written.filename)}>
              {written.filename}
            </a>
          )}
          <Steps parts={parts} artifacts={artifacts} />
        </>
      )}
    </ToolCall>
  )
}

/** A call that takes no time that a person notices has none. */
function timeOf({ startedAt, endedAt = startedAt }: CallPart): string | undefined {
  const ms = endedAt - startedAt
  return ms < NOTICED_MS ? undefined : duration(ms)
}

function outcomeOf(state: CallPart['state']): ReactNode {
  if (state === 'done') return undefined
  if (state !== 'running') return WORDS.chat[state]
  return (
    <>
      <Spinner />
      <VisuallyHidden>{WORDS.chat.running}</VisuallyHidden>
    </>
  )
}

function drawnWords(drawn: readonly string[]): CallWords {
  return {
    icon: Monitor,
    verb: WORDS.chat.drew,
    object: drawn.join('\n').split('\n').join(', '),
    objectIs: 'code',
  }
}

/** Documents lie in the team's `memory` folder, whatever the folder of the team is called. */
function isWrittenBy({ input }: CallPart, filename: string): boolean {
  return Object.values(input).some(
    (value) => typeof value === 'string' && value.endsWith(`memory/${filename}`),
  )
}
