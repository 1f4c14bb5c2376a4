import { setTimeout as after } from 'node:timers/promises'

/** How long a turn that was cancelled may take to end, in milliseconds. */
const CANCEL_MAX_MS = 10_000

/** The allowed rejection codes of a mix. */
const EXPECTED: ReadonlySet<string> = new Set([
  'waiting_for_input',
  'not_waiting',
  'invalid_values',
  'busy',
  'draining',
  'key_reused',
  'storage_full',
  'closed',
])

/** The code of a failure that may come up in a mix. */
export function expectedCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return EXPECTED.has(code) ? code : undefined
}

/** Whether a promise settles in the time that a cancelled turn may take. */
export async function endsInTime(work: Promise<unknown>): Promise<boolean> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ended = work.then(
    () => true,
    () => true,
  )
  const inTime = await Promise.race([
    ended,
    after(CANCEL_MAX_MS, false, { signal }).catch(() => false),
  ])
  waiting.abort()
  return inTime
}
