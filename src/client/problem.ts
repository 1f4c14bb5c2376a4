import { membersOf } from '../json/index.ts'
import type { JsonObject } from '../json/index.ts'
import { readText } from './body.ts'
import { ClientError } from './client-error.ts'
import { parseJson } from './payload.ts'

/** Room for a recovery seed, which a failed turn carries. */
const PROBLEM_CHARS_MAX = 262_144

/** Reads an answer that is not the one hoped for, whether our server or a proxy on the way gave it. */
export async function problemError(response: Response, action: string): Promise<ClientError> {
  const stated = await statedMembers(response)
  const status = response.status
  const text = (name: string, otherwise: string): string => {
    const value = stated[name]
    return typeof value === 'string' && value !== '' ? value : otherwise
  }
  const others = Object.entries(stated).filter(([name]) => !COMMON.includes(name))
  const problem = {
    type: text('type', 'about:blank'),
    title: text('title', response.statusText || `HTTP ${status}`),
    status,
    detail: text('detail', `The server answered ${status}`),
    code: text('code', `http_${status}`),
    ...(typeof stated['reason'] === 'string' && { reason: stated['reason'] }),
    ...(others.length > 0 && { extensions: Object.fromEntries(others) }),
  }
  const retryAfterMs = retryAfter(response.headers)
  return new ClientError('problem', `Cannot ${action}: ${problem.detail}`, {
    problem,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

const COMMON = ['type', 'title', 'status', 'detail', 'code', 'error', 'reason']

async function statedMembers(response: Response): Promise<JsonObject> {
  if (!response.headers.get('content-type')?.includes('json')) return {}
  try {
    return membersOf(parseJson(await readText(response, PROBLEM_CHARS_MAX), 'the problem'))
  } catch (error) {
    // The status alone is the message when the rest of it is cut, endless or not JSON.
    if (error instanceof ClientError) return {}
    throw error
  }
}

/** Seconds only: a date would need the two clocks to agree. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined
}
