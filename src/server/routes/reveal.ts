import type { Context } from 'hono'
import type { OpenedApp, Proposer, Role } from '../../application/index.ts'
import type { View } from '../../faces/index.ts'
import type { Access, Entrant } from '../access/access.ts'
import { ProblemError } from '../problems/problem.ts'

/** The sender of a request in a thread. */
export interface Reader {
  readonly thread: string
  readonly owner: Pick<OpenedApp, 'name' | 'view' | 'revealed'> & {
    role(name: string): Pick<Role<never>, 'reveal'> | undefined
  }
  readonly role: string
  readonly as: Proposer
}

/** What a request shows its sender, and until when, in milliseconds since the epoch. */
export interface ShownView {
  readonly view: View
  readonly until?: number
}

/**
 * The view of a request: of the reveal that its query names as `?reveal=SEQ`, otherwise of the role.
 *
 * @throws {@link ProblemError} `not_revealed`
 */
export async function shownView(
  context: Context,
  { thread, owner, role, as: by }: Reader,
): Promise<ShownView> {
  const named = context.req.queries('reveal')
  if (!named) return { view: owner.view(role) }
  const [text = ''] = named
  const seq = named.length === 1 && /^\d{1,15}$/.test(text) ? Number(text) : undefined
  const shown = seq === undefined ? undefined : await owner.revealed(thread, { role, seq, by })
  if (shown) return shown
  throw new ProblemError('not_revealed', 403, {
    detail: `Cannot use reveal: ${whyNot({ owner, role, by })}, or leave \`reveal\` out`,
  })
}

interface Refused extends Pick<Reader, 'owner' | 'role'> {
  readonly by: Proposer
}

function whyNot({ owner, role, by }: Refused): string {
  const type = owner.role(role)?.reveal
  if (type === undefined) {
    return `"${role}" of "${owner.name}" reveals nothing; declare its \`reveal\``
  }
  if (by.actor === undefined) {
    return 'the request names no person; sign in by a page, or name an `actor` in `authenticate`'
  }
  const none = 'it names no reveal of yours in this thread that still holds'
  return `${none}; propose "${type}" and name the \`seq\` of its record`
}

interface StreamReader {
  readonly owner: Pick<OpenedApp, 'gate'>
  readonly entrant: Entrant
  readonly revealedUntil?: number
}

/** Fires when a stream must end: its reader may stay no longer, or what was revealed ends and is asked for again. */
export async function streamEnd(
  access: Pick<Access, 'untilEnded'>,
  { owner, entrant, revealedUntil }: StreamReader,
  answer: Parameters<Access['untilEnded']>[1],
): Promise<AbortSignal> {
  const ended = await access.untilEnded(entrant, answer)
  if (revealedUntil === undefined) return ended
  const leftMs = Math.max(0, revealedUntil - owner.gate.now())
  return AbortSignal.any([ended, AbortSignal.timeout(leftMs)])
}
