import { request } from 'throughline/client'
import type { Json, RequestOptions } from 'throughline/client'

export type PageRole = 'customer' | 'installer' | 'auditor' | 'operator'

/** Asks the server in the page's role: a browser may hold the cookies of several. */
export function sessionRequest(
  url: string,
  role: PageRole,
  options: Pick<RequestOptions, 'body' | 'headers' | 'idempotencyKey' | 'signal' | 'fetch'> = {},
): Promise<Json> {
  return request(url, { ...options, headers: { ...options.headers, 'throughline-role': role } })
}
