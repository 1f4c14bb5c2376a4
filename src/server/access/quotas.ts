import type { Entrant } from './access.ts'
import { STREAMS_MAX } from '../streams/event-stream.ts'
import { NewestMap } from '../../thread/index.ts'
import { ProblemError } from '../problems/problem.ts'
import type { ProblemCode } from '../problems/problem.ts'

/** Streams that one token may hold open. */
export const STREAMS_PER_TOKEN_DEFAULT = 16
/** The largest quota of streams: as many as one server holds open. */
export const STREAMS_PER_TOKEN_MAX = STREAMS_MAX
/** Turns that one token may begin in a minute. */
export const TURNS_PER_MINUTE_DEFAULT = 30
/** The largest quota of turns. */
export const TURNS_PER_MINUTE_MAX = 10_000
/** Requests that propose events. */
export const PROPOSALS_PER_MINUTE_DEFAULT = 12_000
/** Long reads that one token may have under way. */
export const LONG_READS_PER_TOKEN_MAX = 2
/** Reads of changes and reasons that one token may have under way. */
export const HISTORY_READS_PER_TOKEN_MAX = 4
/** Searches over all threads that one token may have under way. */
export const SEARCHES_PER_TOKEN_MAX = 1
/** Tokens whose turns are counted; the one that took no turn for the longest time goes. */
export const TOKENS_COUNTED_MAX = 10_000

const MINUTE_MS = 60_000
/** Proposals are counted in parts of a minute: a whole minute of them at once would hold others up. */
const WINDOW_MS = 10_000

export interface QuotaLimits {
  readonly streamsPerToken?: number
  readonly turnsPerMinute?: number
  /** Requests that propose events, by one token; a sixth of them within ten seconds. */
  readonly proposalsPerMinute?: number
}

/** Counts what each token uses of the server; the operator has no quota. */
export class Quotas {
  readonly #limits: Required<QuotaLimits>
  /** The current use of each token, by kind and the token's id. */
  readonly #held = new Map<string, number>()
  /** When each token took its turns of the last minute. */
  readonly #turns = new NewestMap<readonly number[]>(TOKENS_COUNTED_MAX)
  /** How often each token has proposed since the beginning of its window. */
  readonly #proposals = new NewestMap<{ readonly since: number; readonly count: number }>(
    TOKENS_COUNTED_MAX,
  )

  constructor({
    streamsPerToken = STREAMS_PER_TOKEN_DEFAULT,
    turnsPerMinute = TURNS_PER_MINUTE_DEFAULT,
    proposalsPerMinute = PROPOSALS_PER_MINUTE_DEFAULT,
  }: QuotaLimits) {
    this.#limits = { streamsPerToken, turnsPerMinute, proposalsPerMinute }
  }

  /**
   * Counts a stream and returns a function that ends the counting.
   *
   * @throws {@link ProblemError} `too_many_streams`
   */
  holdStream(entrant: Entrant): () => void {
    const max = this.#limits.streamsPerToken
    const detail = `Cannot open a stream: this token has ${max} open`
    return this.#hold(entrant, { kind: 'stream', max, code: 'too_many_streams', detail })
  }

  /**
   * Counts a read whose cost grows with its thread, and returns a function that ends the counting.
   *
   * @throws {@link ProblemError} `too_many_reads`
   */
  holdRead(entrant: Entrant): () => void {
    const max = LONG_READS_PER_TOKEN_MAX
    const detail = `Cannot read: this token has ${max} long reads under way`
    return this.#hold(entrant, { kind: 'read', max, code: 'too_many_reads', detail })
  }

  /** Does a long read, counted from its beginning to its end. */
  async read<Result>(entrant: Entrant, work: () => Promise<Result>): Promise<Result> {
    return during(this.holdRead(entrant), work)
  }

  /**
   * Does a read of how a state came to be. A page that steps through a thread sends one for each step, so they
   * are counted apart from other long reads.
   *
   * @throws {@link ProblemError} `too_many_reads`
   */
  async readHistory<Result>(entrant: Entrant, work: () => Promise<Result>): Promise<Result> {
    const max = HISTORY_READS_PER_TOKEN_MAX
    const detail = `Cannot read: this token has ${max} reads of changes and reasons under way`
    const use = { kind: 'history', max, code: 'too_many_reads', detail } as const
    return during(this.#hold(entrant, use), work)
  }

  /**
   * Does a search over all threads.
   *
   * @throws {@link ProblemError} `too_many_reads`
   */
  async search<Result>(entrant: Entrant, work: () => Promise<Result>): Promise<Result> {
    const max = SEARCHES_PER_TOKEN_MAX
    const detail = 'Cannot search: this token has a search under way; wait for its answer'
    return during(
      this.#hold(entrant, { kind: 'search', max, code: 'too_many_reads', detail }),
      work,
    )
  }

  /**
   * Counts a turn, or other work that calls a model.
   *
   * @throws {@link ProblemError} `too_many_turns`
   */
  takeTurn({ id }: Entrant, now: number = performance.now()): void {
    if (id === undefined) return
    const max = this.#limits.turnsPerMinute
    const recent = (this.#turns.get(id) ?? []).filter((at) => at > now - MINUTE_MS)
    const [oldest = now] = recent
    if (recent.length >= max) {
      throw new ProblemError('too_many_turns', 429, {
        detail: `Cannot take a turn: this token took ${max} in the last minute`,
        retryAfterS: Math.ceil((oldest + MINUTE_MS - now) / 1_000),
      })
    }
    this.#turns.set(id, [...recent, now])
  }

  /**
   * Counts a request that sends events or a conversation, before its body is read. A large body counts as
   * several `requests`.
   *
   * @throws {@link ProblemError} `too_many_proposals`
   */
  takeProposal({ id }: Entrant, now: number = performance.now(), requests = 1): void {
    if (id === undefined) return
    const last = this.#proposals.get(id)
    const { since, count } = last && now < last.since + WINDOW_MS ? last : { since: now, count: 0 }
    const max = Math.ceil((this.#limits.proposalsPerMinute * WINDOW_MS) / MINUTE_MS)
    if (count >= max) {
      throw new ProblemError('too_many_proposals', 429, {
        detail: `Cannot take events: this token has sent ${max} requests in ${WINDOW_MS / 1_000} seconds`,
        retryAfterS: Math.ceil((since + WINDOW_MS - now) / 1_000),
      })
    }
    this.#proposals.set(id, { since, count: count + requests })
  }

  #hold(entrant: Entrant, { kind, max, code, detail }: QuotaUse): () => void {
    if (entrant.id === undefined) return () => undefined
    const name = `${kind} ${entrant.id}`
    const held = this.#held.get(name) ?? 0
    if (held >= max) throw new ProblemError(code, 429, { detail })
    this.#held.set(name, held + 1)
    let counts = true
    return () => {
      if (!counts) return
      counts = false
      const left = (this.#held.get(name) ?? 1) - 1
      if (left === 0) this.#held.delete(name)
      else this.#held.set(name, left)
    }
  }
}

async function during<Result>(release: () => void, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } finally {
    release()
  }
}

interface QuotaUse {
  readonly kind: 'history' | 'read' | 'search' | 'stream'
  readonly max: number
  readonly code: ProblemCode
  readonly detail: string
}
