import type { Journey } from './journey.fixture.ts'
import { request } from './served-broker.fixture.ts'
import type { Answered } from './served-broker.fixture.ts'

/** Takes a turn of a case by `/api/chat`, which answers when the turn has ended. */
export function chat(
  { broker, sessionId, tokens }: Pick<Journey, 'broker' | 'sessionId' | 'tokens'>,
  side: 'installer' | 'customer',
  { key, ...turn }: { readonly key?: string; readonly [member: string]: unknown },
): Promise<Answered> {
  return request(`${broker.url}/api/chat/${side}`, {
    token: tokens[side],
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: { sessionId, ...turn },
  })
}
