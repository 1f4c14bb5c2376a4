import { consume } from '../consumers/index.ts'
import type { Consumer } from '../consumers/index.ts'
import { systemClock } from '../due-work/index.ts'
import { kindOf } from '../json/index.ts'
import { ApplicationError, callDeclared } from './app-error.ts'
import type { OpenedApp } from './opened-app.ts'
import type { EraseRequest } from './thread-erasure.ts'
import type { ThroughlineParts } from './throughline-parts.ts'

const REQUEST: EraseRequest = { by: 'retention', why: 'kept for as long as the application says' }

export interface RetentionParts extends Pick<
  ThroughlineParts,
  'log' | 'cursors' | 'clock' | 'now' | 'onFault'
> {
  readonly apps: readonly OpenedApp[]
  readonly ownerOf: (thread: string) => Promise<OpenedApp | undefined>
  readonly erase: (thread: string, request: EraseRequest) => Promise<unknown>
}

/** Erases the persons of threads when their time has come; nothing where no application says when. */
export function followRetention(parts: RetentionParts): Consumer | undefined {
  const { apps, ownerOf, now, erase, onFault } = parts
  const clock = parts.clock ?? { ...systemClock, now }
  if (apps.every(({ app }) => app.retain === undefined)) return undefined
  const look = async (thread: string): Promise<{ readonly dueAt: number } | undefined> => {
    const dueAt = await endOf(thread, await ownerOf(thread))
    if (dueAt === undefined || dueAt > clock.now()) return dueAt === undefined ? dueAt : { dueAt }
    await erase(thread, REQUEST)
    return undefined
  }
  const version = encodeURIComponent(apps.map(({ app }) => app.workVersion).join(' '))
  const terms = { name: 'throughline.retention', version, look, clock }
  return consume(
    { log: parts.log, cursors: parts.cursors },
    { ...terms, ...(onFault && { onFault }) },
  )
}

/** Until when the person of a thread is kept; nothing: as long as the thread is. */
async function endOf(thread: string, owner: OpenedApp | undefined): Promise<number | undefined> {
  const retain = owner?.app.retain
  if (!owner || !retain) return undefined
  const { seq, state, activeAt, isErased } = await owner.gate.snapshot(thread)
  if (seq < 0 || isErased) return undefined
  const subject = () => `Cannot tell until when "${owner.name}" keeps "${thread}": \`retain\``
  const until: unknown = callDeclared('retain_failed', subject, () => retain(state, { activeAt }))
  // What follows cannot be taken back, and a program without types may give anything.
  if (until === undefined || until === null || until === false) return undefined
  if (typeof until === 'number' && until >= 0) return until
  const given = typeof until === 'number' ? String(until) : kindOf(until)
  const mend = 'give milliseconds since the epoch, or undefined while it is kept'
  throw new ApplicationError('retain_failed', `${subject()} returned ${given}; ${mend}`)
}
