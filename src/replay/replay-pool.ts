import { Worker } from 'node:worker_threads'
import { thrownMessage } from '../json/index.ts'
import { notCompared } from './difference.ts'
import type { ThreadReport } from './difference.ts'
import { ReplayError } from './replay-error.ts'
import type { WorkerTask } from './worker-task.ts'

/** Workers of one replay. */
export const REPLAY_WORKERS_MAX = 64
/** Threads that a worker is given at once. */
const CHUNK_THREADS = 25
/** How long one thread may take, and how long a definition may take to load: one that loops is stopped. */
export const REPLAY_THREAD_MAX_MS = 20_000

export interface PoolRequest extends WorkerTask {
  readonly threads: readonly string[]
  readonly workers: number
  readonly take: (reports: readonly ThreadReport[]) => void
}

/**
 * Replays threads in workers. A worker whose definition does not come back is stopped, and its threads are
 * replayed one by one, so that only those that it loops on cannot be told.
 *
 * @throws {@link ReplayError} `no_definition` where a worker cannot start
 */
export async function replayInWorkers(request: PoolRequest): Promise<void> {
  const chunks: (readonly string[])[] = []
  for (let at = 0; at < request.threads.length; at += CHUNK_THREADS) {
    chunks.push(request.threads.slice(at, at + CHUNK_THREADS))
  }
  const count = Math.min(request.workers, chunks.length, REPLAY_WORKERS_MAX)
  await Promise.all(Array.from({ length: count }, () => work(request, chunks)))
}

async function work(request: PoolRequest, chunks: (readonly string[])[]): Promise<void> {
  let worker = await ReplayWorker.start(request)
  try {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
      const answer = await worker.ask(chunk)
      if (typeof answer !== 'string') {
        request.take(answer)
        continue
      }
      const [thread] = chunk
      if (chunk.length > 1) chunks.unshift(...chunk.map((each) => [each]))
      else if (thread !== undefined) request.take([notCompared(thread, 'cannot_tell', answer)])
      await worker.stop()
      worker = await ReplayWorker.start(request)
    }
  } finally {
    await worker.stop()
  }
}

/** One worker, asked for one thing at a time. */
class ReplayWorker {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  static async start(request: PoolRequest): Promise<ReplayWorker> {
    const { sources, anchorKeys = [], against, base, level } = request
    // The file beside this one, compiled or not.
    const file = `replay-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`
    const workerData: WorkerTask = { sources, anchorKeys, against, base, level }
    const worker = new Worker(new URL(file, import.meta.url), { name: 'replay', workerData })
    const started = await answerOf<'ready'>(worker)
    if (started === 'ready') return new ReplayWorker(worker)
    await worker.terminate()
    throw new ReplayError('no_definition', `Cannot replay against ${against}: ${started.fault}`)
  }

  /** The reports, or why there are none. */
  async ask(threads: readonly string[]): Promise<readonly ThreadReport[] | string> {
    this.#worker.postMessage(threads)
    const answer = await answerOf<readonly ThreadReport[]>(this.#worker)
    return 'fault' in answer ? answer.fault : answer
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

interface NoAnswer {
  readonly fault: string
}

function answerOf<Answer>(worker: Worker): Promise<Answer | NoAnswer> {
  const maxMs = REPLAY_THREAD_MAX_MS
  const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>()
  const onFault = (error: unknown): void => resolve({ fault: thrownMessage(error) })
  const onExit = (): void => resolve({ fault: 'it ended the process' })
  const timer = setTimeout(() => resolve({ fault: `it was not done after ${maxMs} ms` }), maxMs)
  worker.once('message', resolve).once('error', onFault).once('exit', onExit)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', onFault).off('exit', onExit)
  })
}
