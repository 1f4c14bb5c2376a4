import type { LogRecord } from '../log/index.ts'
import type { Proposed, Step } from './step.ts'

/** What was found, in the order of how bad it is. */
export type FindingKind =
  | 'beyond_authority'
  | 'without_approval'
  | 'quoted'
  | 'invariant'
  | 'rules'
  | 'throws'
  | 'impure'
  | 'not_json'

export interface Finding {
  readonly kind: FindingKind
  /** The part of the application, such as `guard of "paid"`: a report holds one finding of each. */
  readonly part: string
  /** What went wrong. */
  readonly detail: string
  /** The shortest sequence of steps that was found. */
  readonly steps: readonly Step[]
  /** A test of the domain that shows it, to paste; absent where it takes an agent to show. */
  readonly test?: string
}

/** What a finding was seen at. */
export interface Seen {
  readonly kind: FindingKind
  readonly part: string
  readonly detail: string
  /** The events of the domain before it, as they are stored. */
  readonly past: readonly LogRecord[]
  readonly proposal?: Proposed & Pick<LogRecord, 'ts' | 'origin'>
}

const WITH_TEST: ReadonlySet<FindingKind> = new Set([
  'beyond_authority',
  'invariant',
  'rules',
  'throws',
  'not_json',
])

export const keyOf = ({ kind, part }: Pick<Finding, 'kind' | 'part'>): string => `${kind} ${part}`

export function findingOf(seen: Seen, steps: readonly Step[]): Finding {
  const { kind, part, detail } = seen
  const test = WITH_TEST.has(kind) && seen.proposal ? testOf(seen, seen.proposal) : undefined
  return { kind, part, detail, steps, ...(test !== undefined && { test }) }
}

function testOf(
  { part, detail, past }: Seen,
  { type, data, ts, origin }: NonNullable<Seen['proposal']>,
): string {
  const events = past.map((record) => `    ${eventText(record)},\n`)
  const before = events.length > 0 ? `[\n${events.join('')}  ]` : '[]'
  return [
    `// ${detail}`,
    `test(${JSON.stringify(`"${type}" is refused there: ${part}`)}, () => {`,
    `  given(app.domain, ${before})`,
    `    .at(${ts})`,
    `    .when({ type: ${JSON.stringify(type)}, data: ${JSON.stringify(data)}, origin: ${whose(origin)} })`,
    `    .thenRefused('precondition')`,
    '})',
  ].join('\n')
}

function eventText({ type, data, ts, origin }: LogRecord): string {
  return `{ type: ${JSON.stringify(type)}, data: ${JSON.stringify(data)}, ts: ${ts}, origin: ${whose(origin)} }`
}

function whose({ source, surface, rule }: LogRecord['origin']): string {
  return JSON.stringify({ source, surface, rule })
}
