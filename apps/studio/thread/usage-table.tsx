import { Fragment } from 'react'
import type { Usage, UsageReport } from 'throughline/client'
import { amount, number } from '../../kit/index.ts'
import usageStyles from './usage.module.css'
import { WORDS } from './words.ts'

const USAGE = WORDS.usage
const COLUMNS = [USAGE.calls, USAGE.tokens, USAGE.cached, USAGE.reasoning, USAGE.cost]

export interface UsageTableProps {
  readonly usage: UsageReport
  /** The id of what says what the table is about. */
  readonly describedBy: string
}

/** The usage of model calls. A missing report is shown as missing, not as zero. */
export function UsageTable({ usage, describedBy }: UsageTableProps) {
  return (
    // A wide table scrolls inside this region, so the region must be focusable.
    <div className={usageStyles.tableBox} role="region" aria-label={USAGE.heading} tabIndex={0}>
      <table className={usageStyles.table} aria-describedby={describedBy}>
        <thead>
          <tr>
            <th scope="col">{USAGE.who}</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className={usageStyles.figure}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <Group name={USAGE.byAgent} usages={usage.byAgent} />
        <Group name={USAGE.byModel} usages={usage.byModel} />
        <tbody className={usageStyles.total}>
          <Row name={USAGE.total} usage={usage.total} />
        </tbody>
      </table>
    </div>
  )
}

interface GroupProps {
  readonly name: string
  readonly usages: Readonly<Record<string, Usage>>
}

function Group({ name, usages }: GroupProps) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={COLUMNS.length + 1} className={usageStyles.group}>
          {name}
        </th>
      </tr>
      {Object.entries(usages).map(([who, usage]) => (
        <Row key={who} name={who === '' ? USAGE.unnamed : who} usage={usage} />
      ))}
    </tbody>
  )
}

function Row({ name, usage }: { readonly name: string; readonly usage: Usage }) {
  const { calls, unreported, unreportedTokens = 0, cost, unpriced } = usage
  return (
    <tr>
      <th scope="row">{name.split('/').map(withBreak)}</th>
      <td className={usageStyles.figure}>
        {number(calls)}
        {unreported > 0 && <Partly words={USAGE.someNotReported(number(unreported))} />}
      </td>
      <td className={`${usageStyles.figure} ${usageStyles.tokens}`}>
        {tokens(usage)}
        {unreportedTokens > 0 && <Partly words={USAGE.upTo(number(unreportedTokens))} />}
      </td>
      <Count value={usage.cachedInputTokens} />
      <Count value={usage.reasoningTokens} />
      <td className={usageStyles.figure}>
        {cost === undefined ? <Partly words={USAGE.notKnown} /> : amount(cost)}
        {cost !== undefined && unpriced > 0 && (
          <Partly words={USAGE.someNotKnown(number(unpriced))} />
        )}
      </td>
    </tr>
  )
}

function Count({ value }: { readonly value: number | undefined }) {
  return (
    <td className={usageStyles.figure}>
      {value === undefined ? <Partly words={USAGE.notReported} /> : number(value)}
    </td>
  )
}

function Partly({ words }: { readonly words: string }) {
  return <span className={usageStyles.partly}>{words}</span>
}

function tokens({ inputTokens, outputTokens }: Usage): string {
  return inputTokens === undefined && outputTokens === undefined
    ? USAGE.notReported
    : USAGE.inOut(count(inputTokens), count(outputTokens))
}

function count(value: number | undefined): string {
  return value === undefined ? USAGE.notReported : number(value)
}

/** Lets `provider/model` break at its stroke. */
function withBreak(part: string, at: number) {
  return at === 0 ? (
    part
  ) : (
    <Fragment key={part}>
      /<wbr />
      {part}
    </Fragment>
  )
}
