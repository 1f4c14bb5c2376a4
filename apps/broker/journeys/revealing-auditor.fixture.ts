import type { Journey } from './journey.fixture.ts'
import type { Answered, ServedBroker } from './served-broker.fixture.ts'
import { request } from './served-broker.fixture.ts'

/** An auditor in a browser of their own, who has put a reveal on record. */
export interface RevealingAuditor {
  /** The position of the reveal's record. */
  readonly reveal: number
  /** Reads an address of the server under the reveal. */
  readonly read: (path: string) => Promise<Answered>
  /** The headers of the browser's requests. */
  readonly headers: Readonly<Record<string, string>>
}

/** Signs an auditor in, and reveals the personal data of a case for a reason. */
export async function revealingAuditor(
  { sessionId, tokens, broker }: Pick<Journey, 'sessionId' | 'tokens' | 'broker'>,
  { url }: Pick<ServedBroker, 'url'> = broker,
): Promise<RevealingAuditor> {
  const signedIn = await fetch(`${url}/api/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token: tokens.auditor }),
  })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const headers = { cookie: cookies.join('; '), origin: url, 'throughline-role': 'auditor' }
  const events = [{ type: 'reveal_personal_data', data: { reason: 'A complaint' } }]
  const answer = await request(`${url}/api/threads/${sessionId}/events`, {
    headers,
    body: { events },
  })
  const reveal = Number(answer.body['head'])
  const read = (path: string) =>
    request(`${url}${path}${path.includes('?') ? '&' : '?'}reveal=${reveal}`, { headers })
  return { reveal, read, headers }
}
