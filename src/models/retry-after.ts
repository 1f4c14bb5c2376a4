/**
 * How long a provider asks to be left alone, in milliseconds; 0 when it does not say. `cause` is what its
 * package threw: an `AI_APICallError` carries the answer's headers, with names in lower case, and its body.
 */
export function retryAfterMs(cause: unknown): number {
  if (typeof cause !== 'object' || cause === null) return 0
  const { responseHeaders, responseBody } = cause as {
    readonly responseHeaders?: Readonly<Record<string, string>>
    readonly responseBody?: unknown
  }
  const told = [...inHeaders(responseHeaders ?? {}), inRetryInfo(responseBody)]
  return Math.max(0, told.find((each) => Number.isFinite(each)) ?? 0)
}

/** Both of HTTP's forms, seconds and a date, and the one in milliseconds that providers add. */
function inHeaders(headers: Readonly<Record<string, string>>): readonly number[] {
  const { 'retry-after-ms': ms = '', 'retry-after': after = '' } = headers
  return [Number(ms || NaN), Number(after || NaN) * 1_000, Date.parse(after) - Date.now()]
}

/** The longest body that is searched: an error says little. */
const BODY_CHARS_MAX = 65_536

/** Google says it among the error's details, as `{"@type": "….RetryInfo", "retryDelay": "7.5s"}`. */
const RETRY_DELAY = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/

function inRetryInfo(body: unknown): number {
  if (typeof body !== 'string' || body.length > BODY_CHARS_MAX) return NaN
  const [, seconds = NaN] = RETRY_DELAY.exec(body) ?? []
  return Number(seconds) * 1_000
}
