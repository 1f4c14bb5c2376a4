import { ClientError, membersOf, request } from 'throughline/client'
import { WORDS } from './words.ts'

/** Signs this browser in as the operator. Returns the message for the person when that failed. */
export async function signIn(token: string): Promise<string | undefined> {
  try {
    // The token of a case must not count as an opening of it.
    const answer = await request('/api/token', { body: { token, purpose: 'keep' } })
    return membersOf(answer)['role'] === 'operator' ? undefined : WORDS.signIn.wrong
  } catch (error) {
    if (error instanceof ClientError) return failureOf(error)
    throw error
  }
}

/** @throws ClientError */
export async function signOut(): Promise<void> {
  await request('/api/token', {
    fetch: (url, init) => fetch(url, { ...init, method: 'DELETE' }),
  })
}

/** Whether the server takes this browser for the operator, or asks for no operator at all. */
export async function mayActAsOperator(): Promise<boolean> {
  try {
    await request('/api/agents/served')
    return true
  } catch (error) {
    if (error instanceof ClientError) return !isSignInNeeded(error)
    throw error
  }
}

export function isSignInNeeded({ problem }: ClientError): boolean {
  return problem?.status === 401
}

function failureOf(error: ClientError): string {
  if (isSignInNeeded(error)) return WORDS.signIn.wrong
  if (error.problem?.status !== 429) return WORDS.signIn.failed
  return WORDS.signIn.tooMany(Math.ceil((error.retryAfterMs ?? 60_000) / 1_000))
}
