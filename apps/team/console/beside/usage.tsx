import { Gauge } from 'lucide'
import { useState } from 'react'
import { SummaryList, number, time } from '../../../kit/index.ts'
import { KnownFace } from '../grid/known-face.tsx'
import type { AllowedRule } from '../team-requests.ts'
import type { LiveTeam } from '../use-team.ts'
import { panelLink } from '../use-panel.ts'
import { isScriptedSession } from '../view/team-view.ts'
import type { TeamView } from '../view/team-view.ts'
import { sumOf, sumsByAgent } from '../view/turns.ts'
import type { Sums, TurnUsage } from '../view/turns.ts'
import { WORDS } from '../words.ts'
import { dollars } from './dollars.ts'
import { Figures, Filters, NothingYet, PanelHead } from './panel-parts.tsx'
import { AllowedRules } from './allowed-rules.tsx'
import { Budget } from './budget-form.tsx'
import styles from './usage.module.css'

export interface UsageProps {
  readonly team: LiveTeam
  readonly rules: readonly AllowedRule[]
}

/** What the team used: by agent, its budget, and what is always allowed. A script uses nothing. */
export function Usage({ team, rules }: UsageProps) {
  const { view, budget } = team
  const [span, setSpan] = useState<Span>('session')
  const turns = turnsIn(view, span)
  const sum = sumOf(turns)
  const isScripted = view.session ? isScriptedSession(view.session) : team.isScripted
  const usedModel = sum.inputTokens + sum.outputTokens > 0
  return (
    <section aria-label={WORDS.usage.heading}>
      <PanelHead title={WORDS.usage.heading} />
      <Filters
        label={WORDS.usage.time}
        name="span"
        value={span}
        options={SPANS.map((each) => ({ value: each, label: WORDS.usage[each] }))}
        onChange={(value) => setSpan(value === 'today' ? 'today' : 'session')}
      />
      <div className={styles.scroll}>
        {sum.turns === 0 && <NothingYet icon={Gauge} text={WORDS.usage.none} />}
        {isScripted && <p className={styles.meta}>{WORDS.usage.scripted}</p>}
        {sum.turns > 0 && <Spent sum={sum} usedModel={usedModel} />}
        {view.session && !isScripted && budget && <Budget kept={budget} />}
        {sum.turns > 0 && <ByAgent view={view} turns={turns} sum={sum} />}
        {usedModel && <Details view={view} turns={turns} sum={sum} />}
        {turns.length > 0 && <ByTurn view={view} turns={turns} />}
        <AllowedRules rules={rules} />
      </div>
    </section>
  )
}

const SPANS = ['session', 'today'] as const
type Span = (typeof SPANS)[number]

function turnsIn({ turns, session }: TeamView, span: Span): readonly TurnUsage[] {
  if (span === 'today') {
    const midnight = new Date().setHours(0, 0, 0, 0)
    return turns.filter(({ ts }) => ts >= midnight)
  }
  const shown = session?.id ?? turns.at(-1)?.sessionId
  return turns.filter(({ sessionId }) => sessionId === shown)
}

function Spent({ sum, usedModel }: { readonly sum: Sums; readonly usedModel: boolean }) {
  const tokens = sum.inputTokens + sum.outputTokens
  return (
    <Figures
      figures={[
        ...(usedModel ? [{ value: dollars(sum.costUsd), name: WORDS.usage.spent }] : []),
        { value: number(sum.turns), name: WORDS.usage.turns },
        ...(usedModel ? [{ value: number(tokens), name: WORDS.usage.tokens }] : []),
      ]}
    />
  )
}

interface ShownProps {
  readonly view: TeamView
  readonly turns: readonly TurnUsage[]
  readonly sum: Sums
}

function ByAgent({ view, turns, sum }: ShownProps) {
  const { columns } = WORDS.usage
  return (
    <>
      <table className={styles.table}>
        <caption>{WORDS.usage.byAgent}</caption>
        <Head of={columns.agent} count={columns.turns} />
        <tbody>
          {sumsByAgent(turns).map(({ who, ...own }) => (
            <Row key={who} sum={own}>
              <a className={styles.agent} href={panelLink('agent', who)}>
                <KnownFace agents={view.agents} name={who} size="tiny" /> {who}
              </a>
            </Row>
          ))}
        </tbody>
        <tfoot>
          <Row sum={sum}>{WORDS.usage.all}</Row>
        </tfoot>
      </table>
      <p className={styles.meta}>{WORDS.usage.rule}</p>
    </>
  )
}

function Head({ of, count }: { readonly of: string; readonly count: string }) {
  const { columns } = WORDS.usage
  return (
    <thead>
      <tr>
        <th scope="col">{of}</th>
        <th scope="col">{count}</th>
        <th scope="col">{columns.in}</th>
        <th scope="col">{columns.out}</th>
        <th scope="col">{columns.cost}</th>
      </tr>
    </thead>
  )
}

/** Turns that are listed one by one, the newest ones. */
const TURNS_SHOWN = 20

function ByTurn({ view, turns }: Omit<ShownProps, 'sum'>) {
  const { columns } = WORDS.usage
  return (
    <table className={styles.table}>
      <caption>{WORDS.usage.byTurn}</caption>
      <Head of={columns.turn} count={columns.calls} />
      <tbody>
        {turns
          .slice(-TURNS_SHOWN)
          .toReversed()
          .map((turn) => (
            <tr key={turn.key}>
              <th scope="row">
                <span className={styles.agent}>
                  <KnownFace agents={view.agents} name={turn.who} size="tiny" /> {time(turn.ts)}
                  {turn.outcome !== 'success' && ` · ${WORDS.chat.failed}`}
                </span>
              </th>
              <td>{number(turn.calls)}</td>
              <td>{number(turn.inputTokens)}</td>
              <td>{number(turn.outputTokens)}</td>
              <td>{dollars(turn.costUsd)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function Row({ sum, children }: { readonly sum: Sums; readonly children: React.ReactNode }) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>{number(sum.turns)}</td>
      <td>{number(sum.inputTokens)}</td>
      <td>{number(sum.outputTokens)}</td>
      <td>{dollars(sum.costUsd)}</td>
    </tr>
  )
}

function Details({ view, turns, sum }: ShownProps) {
  const failed = turns.filter(({ outcome }) => outcome !== 'success').length
  const tokens = (count: number) => WORDS.usage.tokensOf(number(count))
  return (
    <SummaryList
      rows={[
        { name: WORDS.usage.fromCache, value: tokens(sum.cacheReadTokens) },
        { name: WORDS.usage.intoCache, value: tokens(sum.cacheCreationTokens) },
        ...(view.session ? [{ name: WORDS.usage.model, value: view.session.model }] : []),
        { name: WORDS.usage.failed, value: number(failed) },
      ]}
    />
  )
}
