import { ThroughlineError } from '../assert/index.ts'
import { systemClock } from '../due-work/index.ts'
import type { Clock } from '../due-work/index.ts'
import { unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import type { Cursors, EventLog } from '../log/index.ts'
import { emitWarning } from '../platform/index.ts'
import { Consumer } from './consumer.ts'
import type { Look } from './looks.ts'

/** The longest name of a consumer, in characters. */
export const CONSUMER_NAME_CHARS_MAX = 100

/** An opened program, as far as a consumer needs it. */
export interface ConsumedLog {
  readonly log: EventLog
  /** Where the position is kept; without it, a consumer begins at the first record in each process. */
  readonly cursors: Cursors | undefined
}

export interface ConsumeOptions {
  /** Names the saved position and the lease: of processes with the same name, one at a time looks. */
  readonly name: string
  /** Another version begins at the first record again. */
  readonly version?: string
  readonly look: Look
  /** Gets each error of a look, which is made again later, and each fault of the store; a warning by default. */
  readonly onFault?: (error: unknown, thread?: string) => void
  readonly clock?: Clock
}

const PARTS: KnownMembers<ConsumeOptions> = {
  name: true,
  version: true,
  look: true,
  onFault: true,
  clock: true,
}

/**
 * Follows the log: `look` is called for each thread that has grown, at least once after its newest record, and
 * again at the `dueAt` that it returns. Looks at different threads run side by side, those at one thread one after
 * the other. The position is saved beside the log, so the next process goes on where this one stopped.
 *
 * @throws {@link ThroughlineError} `invalid_consumer`
 * @example
 * const consumer = consume(tl, { name: 'shop.report', look: async (thread) => report.bring(thread) })
 * process.once('SIGTERM', () => consumer.close().then(() => tl.close()))
 */
export function consume({ log, cursors }: ConsumedLog, options: ConsumeOptions): Consumer {
  const { name, version = '1', look, onFault = warn(name), clock = systemClock } = options
  const unknown = unknownMember(options, PARTS)
  if (unknown !== undefined) throw invalid(unknown)
  if (typeof name !== 'string' || name === '' || name.length > CONSUMER_NAME_CHARS_MAX) {
    throw invalid(`give it a name of 1 to ${CONSUMER_NAME_CHARS_MAX} characters`)
  }
  if (typeof look !== 'function') throw invalid(`"${name}" has no look, a function of a thread`)
  if (/\s/.test(version)) throw invalid(`the version of "${name}" has a space`)
  return new Consumer({ name, version, log, cursors, look, clock, onFault })
}

function invalid(why: string): ThroughlineError<'invalid_consumer'> {
  return new ThroughlineError('invalid_consumer', `Cannot consume the log: ${why}`)
}

function warn(name: string) {
  return (error: unknown, thread?: string): void => {
    const where = thread === undefined ? '' : ` in "${thread}"`
    emitWarning(`The consumer "${name}" failed${where}: ${String(error)}`)
  }
}
