import { membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'

/** Each case needs three cookies, and the server allows a browser 30 in all. */
export const KEPT_CASES_MAX = 8

export type CaseKind = 'demonstration' | 'case'

/** Nothing of who or what a case is about, and no token: its cookies let this browser in. */
export interface KeptCase {
  readonly sessionId: string
  readonly startedAt: number
  readonly kind: CaseKind
}

const PLACE = 'started cases'

/** The cases that were started in this browser, newest first; none where pages may store nothing. */
export function keptCases(): readonly KeptCase[] {
  const text = stored()
  const cases = text === null ? [] : parsed(text)
  return Array.isArray(cases) ? cases.flatMap(readCase).slice(0, KEPT_CASES_MAX) : []
}

/** Gives the list as it is now, also where it cannot be stored. */
export function keepCase(started: KeptCase): readonly KeptCase[] {
  return store([started, ...keptCases()].slice(0, KEPT_CASES_MAX))
}

export function forgetCase(sessionId: string): readonly KeptCase[] {
  return store(keptCases().filter((kept) => kept.sessionId !== sessionId))
}

export function forgetCases(): readonly KeptCase[] {
  return store([])
}

function store(cases: readonly KeptCase[]): readonly KeptCase[] {
  unlessBlocked(() => localStorage.setItem(PLACE, JSON.stringify(cases)))
  return cases
}

function stored(): string | null {
  return unlessBlocked(() => localStorage.getItem(PLACE)) ?? null
}

/** Blocked storage throws on access, full storage on writing. */
export function unlessBlocked<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readCase(kept: Json): readonly KeptCase[] {
  const { sessionId, startedAt, kind } = membersOf(kept)
  const isWhole =
    typeof sessionId === 'string' &&
    typeof startedAt === 'number' &&
    (kind === 'demonstration' || kind === 'case')
  return isWhole ? [{ sessionId, startedAt, kind }] : []
}
