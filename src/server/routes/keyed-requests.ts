import { keyReused } from '../../gate/index.ts'
import { sha256 } from '../../platform/index.ts'
import { NewestMap } from '../../thread/index.ts'
import { ProblemError } from '../problems/problem.ts'

/** Requests whose keys are remembered; the oldest go first. What they did stays done in the log. */
export const KEYS_MAX = 10_000

/** A request that is done once for its key; without one, each time. */
export interface KeyedRequest {
  readonly principal: string
  readonly key: string | undefined
  readonly body: unknown
}

/**
 * Lets requests with the same key run once and share the answer. A key belongs to a principal; with
 * another body it is refused.
 */
export class KeyedRequests {
  readonly #requests = new NewestMap<{ digest: string; answer: Promise<unknown> }>(KEYS_MAX)

  /** @throws {@link GateError} `key_reused` when the key came with another body */
  once<Answer>(request: KeyedRequest, work: () => Promise<Answer>): Promise<Answer> {
    if (request.key === undefined) return work()
    const name = nameOf(request)
    const digest = bodyDigest(request.body)
    const earlier = this.#requests.get(name)
    if (earlier && earlier.digest !== digest) throw keyReused()
    // Stored and read back under one name, so the answer has the type of this request's work.
    if (earlier) return earlier.answer as Promise<Answer>
    const answer = work()
    this.#requests.set(name, { digest, answer })
    answer.catch(() => this.#requests.delete(name))
    return answer
  }

  /** The next request with this key does its work again. */
  forget(request: KeyedRequest): void {
    this.#requests.delete(nameOf(request))
  }
}

function nameOf({ principal, key }: KeyedRequest): string {
  return JSON.stringify([principal, key])
}

/** The digest of a request's body where the body itself need not be kept. */
export function bodyDigest(body: unknown): string {
  return sha256(JSON.stringify(body))
}

/** The longest Idempotency-Key. */
const KEY_LENGTH_MAX = 200

/**
 * The key of a request, from its header `Idempotency-Key`; undefined without one.
 *
 * @throws {@link ProblemError} `invalid_query` when the header is not a usable key
 */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.length > 0 && header.length <= KEY_LENGTH_MAX) return header
  throw new ProblemError('invalid_query', 400, {
    detail: `Cannot use this Idempotency-Key: give 1 to ${KEY_LENGTH_MAX} characters`,
  })
}
