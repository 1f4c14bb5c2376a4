import { assert } from '../assert/index.ts'
import type { EventLog } from './event-log.ts'
import { LogError } from './log-error.ts'
import type { LogErrorCode } from './log-error.ts'
import type { LogRecord, NewEvent } from './record.ts'

/** One rule of the contract, checked on a log of its own that holds nothing yet. */
export interface ContractRule {
  readonly name: string
  readonly check: (log: EventLog) => Promise<void>
}

export function uuid(n: number): string {
  return `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

/** The n-th event of a check, all its parts given. */
export function event(n: number, data: NewEvent['data'] = { n }): NewEvent {
  const origin = { source: 'rule', depth: 0 } as const
  return { id: uuid(n), ts: 1_000 + n, type: 'counted', data, origin }
}

export function events(from: number, to: number): NewEvent[] {
  return Array.from({ length: to - from }, (_, index) => event(from + index))
}

export async function stored(log: EventLog, thread: string, after = -1): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of log.read(thread, { after })) records.push(...batch)
  return records
}

/** Reads a subscription until it has yielded a seq. */
export async function followed(
  subscription: AsyncIterator<readonly LogRecord[]>,
  until: number,
): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  while ((records.at(-1)?.seq ?? -1) < until) {
    const step = await subscription.next()
    assert(!step.done, `The subscription ended before ${until}`)
    assert(step.value.length > 0, 'The subscription yielded an empty batch')
    records.push(...step.value)
  }
  return records
}

export function seqs(records: readonly LogRecord[]): number[] {
  return records.map(({ seq }) => seq)
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** Compares as JSON text, key order included: that is what readers are promised. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [`${JSON.stringify(actual)}`, `${JSON.stringify(expected)}`]
  if (is === should) return
  let from = 0
  while (is[from] === should[from]) from++
  const cut = (text: string) => text.slice(Math.max(0, from - SHOWN_CHARS), from + SHOWN_CHARS)
  assert(false, `${what}: expected ${cut(should)}, got ${cut(is)}`)
}

const SHOWN_CHARS = 100

export async function refuses(code: LogErrorCode, act: () => Promise<unknown>): Promise<void> {
  const outcome = await attempt(act)
  assert(outcome instanceof LogError, `Expected "${code}", nothing was refused`)
  same(outcome.code, code, outcome.message)
}

/** The refusal of a log, or undefined when it succeeded. */
export async function attempt(act: () => Promise<unknown>): Promise<LogError | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof LogError) return error
    throw error
  }
}
