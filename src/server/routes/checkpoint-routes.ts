import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { CheckpointError, Checkpoints, askWitness, signerOf } from '../../checkpoints/index.ts'
import type { SignedCheckpoint } from '../../checkpoints/index.ts'
import { startIdleInterval } from '../../platform/index.ts'
import { ProblemError, notFound } from '../problems/problem.ts'
import { ServeError } from '../problems/serve-error.ts'
import { wholeNumber } from '../streams/cursor.ts'
import { withScriptPolicy } from './bundle.ts'
import type { RouteDescriptions } from './route-description.ts'
import type { RouteParts } from './route-parts.ts'
import type { RoutesOptions } from './routes-options.ts'

/** How often a checkpoint is made, unless the options say otherwise. */
export const CHECKPOINT_EVERY_MS = 3_600_000

/** How long a witness that timed out is not asked again, so that not each request for a checkpoint waits for it. */
export const WITNESS_REST_MS = 60_000

const SIZE = { min: 0, max: Number.MAX_SAFE_INTEGER }

export const CHECKPOINT_ROUTES: RouteDescriptions = {
  'GET /api/checkpoint': {
    summary: 'A signed checkpoint of everything that the log holds',
    answers: ['text/plain'],
  },
  'GET /api/checkpoint/consistency': {
    summary: 'The proof that one checkpoint goes on from another, by their sizes',
    query: { from: SIZE, to: SIZE },
  },
  'GET /api/checkpoint/verifier': {
    summary: 'A page that checks exports against checkpoints by itself',
    answers: ['text/html'],
  },
  'GET /api/threads/:id/checkpoint': {
    summary: 'The proof that the newest checkpoint holds the last record of a thread',
  },
}

type CheckpointOptions = Pick<RoutesOptions, 'checkpointKey' | 'checkpointEveryMs' | 'witnesses'>

/** Checkpoints of the log and proofs for outsiders. */
export class CheckpointRoutes {
  readonly #parts: RouteParts
  readonly #checkpoints: Checkpoints
  readonly #witnesses: readonly string[]
  readonly #stop: () => void
  /** The size of the last checkpoint that each has signed. */
  readonly #witnessed = new Map<string, number>()
  /** When each witness that timed out may be asked again. */
  readonly #restingUntil = new Map<string, number>()
  #isMaking = false

  /** Nothing without a key. */
  static begin(parts: RouteParts, options: CheckpointOptions): CheckpointRoutes | undefined {
    const { checkpointKey: key } = options
    requireOptions(options)
    return key === undefined ? undefined : new CheckpointRoutes(parts, { ...options, key })
  }

  private constructor(
    parts: RouteParts,
    {
      key,
      checkpointEveryMs = CHECKPOINT_EVERY_MS,
      witnesses = [],
    }: CheckpointOptions & { readonly key: string },
  ) {
    this.#parts = parts
    this.#witnesses = witnesses
    this.#checkpoints = new Checkpoints({ log: parts.throughline.log, signer: signerOf(key) })
    this.#stop = startIdleInterval(() => this.#makeInBackground(), checkpointEveryMs)
  }

  mount(app: Hono): void {
    app.get('/api/checkpoint', async (context) => {
      await this.#parts.access.requireOperator(context)
      const { note } = await this.#make()
      return context.text(note, 200, { 'cache-control': 'no-store' })
    })
    app.get('/api/checkpoint/consistency', async (context) => {
      await this.#parts.access.requireOperator(context)
      const from = wholeNumber(context, 'from', SIZE) ?? 0
      const to = wholeNumber(context, 'to', SIZE)
      const size = to ?? (await this.#make()).size
      const hashes = await this.#checkpoints.consistency(from, size).catch(asProblem)
      return context.json({ from, to: size, hashes })
    })
    app.get('/api/checkpoint/verifier', (context) => verifierPage(context))
    app.get('/api/threads/:id/checkpoint', (context) => this.#prove(context))
  }

  close(): void {
    this.#stop()
  }

  /** For who reads the thread as it is stored: with its hash, others could test guesses. */
  async #prove(context: Context): Promise<Response> {
    const { thread, view, role, entrant } = await this.#parts.entry.enter(context)
    if (!view.isUnfiltered) {
      const detail = `"${role}" may not have the proof of a thread that it reads in part`
      throw new ProblemError('forbidden', 403, { detail })
    }
    const { quotas } = this.#parts
    const proof = await quotas.read(entrant, () => this.#checkpoints.prove(thread).catch(asProblem))
    return context.json(proof)
  }

  async #make(): Promise<SignedCheckpoint> {
    const made = await this.#checkpoints.make()
    const now = performance.now()
    const missing = this.#witnesses.filter(
      (address) =>
        this.#witnessed.get(address) !== made.size && now >= (this.#restingUntil.get(address) ?? 0),
    )
    const lines = await Promise.all(missing.map((address) => this.#askCalmly(address, made)))
    if (lines.every((line) => line === '')) return made
    const kept = await this.#checkpoints.keep(lines.join(''), made.size)
    return kept?.size === made.size ? kept : made
  }

  /** A checkpoint is sound without its witnesses: those that have not signed are asked again with the next request. */
  async #askCalmly(address: string, made: SignedCheckpoint): Promise<string> {
    try {
      const lines = await askWitness(address, made, this.#checkpoints)
      this.#witnessed.set(address, made.size)
      return lines
    } catch (error) {
      const isSilent = error instanceof Error && error.name === 'TimeoutError'
      if (isSilent) this.#restingUntil.set(address, performance.now() + WITNESS_REST_MS)
      this.#parts.logger.error({ err: error, witness: address }, 'a witness did not sign')
      return ''
    }
  }

  #makeInBackground(): void {
    // A witness may take longer than the interval.
    if (this.#isMaking) return
    this.#isMaking = true
    this.#make()
      .catch((error: unknown) => {
        this.#parts.logger.error({ err: error }, 'a checkpoint could not be made')
      })
      .finally(() => (this.#isMaking = false))
  }
}

/** @throws {@link ServeError} `invalid_option` */
function requireOptions({
  checkpointEveryMs: ms = 1_000,
  witnesses = [],
}: CheckpointOptions): void {
  const isInterval = Number.isSafeInteger(ms) && ms >= 1 && ms < 2 ** 31
  const wrong = witnesses.find((each) => !/^https?:$/.test(URL.parse(each)?.protocol ?? ''))
  const why =
    (isInterval ? undefined : `\`checkpointEveryMs\` is ${ms}; give 1 to ${2 ** 31 - 1}`) ??
    (wrong === undefined ? undefined : `\`witnesses\` hold "${wrong}", which is no address`)
  if (why !== undefined) throw new ServeError('invalid_option', `Cannot make checkpoints: ${why}`)
}

function asProblem(error: unknown): never {
  if (!(error instanceof CheckpointError)) throw error
  if (error.code === 'unknown_thread') throw notFound('thread')
  throw new ProblemError('invalid_query', 400, { detail: error.message })
}

let page: string | undefined

/** A page that checks exports and checkpoints by itself. It holds nothing of the log. */
function verifierPage(context: Context): Response {
  page ??= withScriptPolicy(readFileSync(new URL('checkpoint.html', import.meta.url), 'utf8'))
  return context.html(page)
}
