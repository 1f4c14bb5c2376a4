import type { Json } from '../json/index.ts'
import { startOf } from '../json/index.ts'
import type { Difference, DifferenceKind, ThreadReport } from './difference.ts'

/** Kinds of differences, and reasons, that a report keeps apart; further ones are counted alone. */
export const GROUPS_MAX = 1_000
/** Of a value, a report shows the beginning. */
export const SHOWN_VALUE_CHARS_MAX = 160

type Counts = Record<ThreadReport['verdict'], number>

interface Group {
  readonly first: Difference
  readonly thread: string
  threads: number
}

/** The result of all threads: counts, and groups of like first differences. */
export class ReplaySummary {
  readonly counts: Counts = { equal: 0, differs: 0, cannot_tell: 0, skipped: 0 }
  threads = 0
  records = 0
  decided = 0
  readonly #first = new Map<string, Group>()
  readonly #later = new Map<string, Group>()
  readonly #whys = new Map<string, { count: number; readonly example: string }>()

  take(report: ThreadReport): void {
    this.threads++
    this.counts[report.verdict]++
    this.records += report.records
    this.decided += report.decided
    const [first, ...later] = report.differences
    if (first) group(this.#first, first, report.thread)
    const kinds = new Map(later.map((each) => [`${each.kind} ${each.type}`, each]))
    for (const each of kinds.values()) group(this.#later, each, report.thread)
    if (report.why !== undefined) this.#because(report.why, report.thread)
    for (const { seq, type, why } of report.undecided) {
      this.#because(`"${type}": ${why}`, `${report.thread} at ${seq}`)
    }
  }

  get verdict(): 'equal' | 'differs' | 'cannot_tell' {
    const { equal, differs, cannot_tell: cannotTell } = this.counts
    if (differs > 0) return 'differs'
    // Where nothing was compared, nothing was shown.
    return cannotTell > 0 || equal === 0 ? 'cannot_tell' : 'equal'
  }

  lines(): readonly string[] {
    const { equal, differs, cannot_tell: cannotTell, skipped } = this.counts
    const groups = [...this.#first.values()].toSorted((one, other) => other.threads - one.threads)
    const later = [...this.#later.values()].map(({ first, threads }) => {
      return `${MARKS[first.kind]} ${first.type} (${counted(threads, 'thread')})`
    })
    return [
      ...groups.flatMap(linesOf),
      ...(later.length > 0 ? [`then, which may follow from it: ${later.join(', ')}`] : []),
      ...[...this.#whys].map(
        ([why, { count, example }]) => `? ${counted(count, 'time')}: ${why} (first: ${example})`,
      ),
      `${equal} equal, ${differs} differ, ${cannotTell} cannot be told, ${skipped} skipped: ` +
        `${this.decided} decisions in ${this.records} records of ${counted(this.threads, 'thread')}`,
    ]
  }

  #because(why: string, example: string): void {
    const known = this.#whys.get(why)
    if (known) known.count++
    else if (this.#whys.size < GROUPS_MAX) this.#whys.set(why, { count: 1, example })
  }
}

function group(groups: Map<string, Group>, first: Difference, thread: string): void {
  const key = `${first.kind} ${first.type} ${first.by}`
  const known = groups.get(key)
  if (known) known.threads++
  else if (groups.size < GROUPS_MAX) groups.set(key, { first, thread, threads: 1 })
}

const MARKS: Readonly<Record<DifferenceKind, string>> = {
  accepted_now: '+',
  refused_now: '-',
  other_result: '~',
  rule_added: '+',
  rule_gone: '-',
  other_state: '=',
  type_gone: '!',
}

const WORDS: Readonly<Record<DifferenceKind, string>> = {
  accepted_now: 'was refused, and is accepted now',
  refused_now: 'was accepted, and is refused now',
  other_result: 'is decided with another result',
  rule_added: 'is an event that the rule did not add before',
  rule_gone: 'is no more added by the rule',
  other_state: 'leads to another state',
  type_gone: 'is no event of the definition any more',
}

function linesOf({ first, thread, threads }: Group): readonly string[] {
  const { kind, type, by, seq, was, now } = first
  return [
    `${MARKS[kind]} ${counted(threads, 'thread')}: "${type}" of ${by} ${WORDS[kind]}`,
    `    first: ${thread} at ${seq}`,
    ...(was === undefined ? [] : [`    - ${short(was)}`]),
    ...(now === undefined ? [] : [`    + ${short(now)}`]),
  ]
}

function short(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const start = startOf(text, SHOWN_VALUE_CHARS_MAX)
  return start === text ? text : `${start}…`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
