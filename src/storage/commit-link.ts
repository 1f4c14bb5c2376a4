import { Worker } from 'node:worker_threads'
import { LogError } from '../log/index.ts'
import type { CommitReply, CommitRequest, Failure } from './commit-messages.ts'
import type { CommitThreadData } from './commit-thread.ts'
import { decodeReply, encodeRequests } from './commit-wire.ts'
import type { Committer } from './committer.ts'
import { openCommitter } from './open-committer.ts'
import type { CommitTerms } from './open-committer.ts'
import { storageError } from './sqlite-error.ts'

/** Commits that take longer than this on average are left to a thread of their own. */
const SLOW_COMMIT_MS = 5
const WEIGHT_OF_LAST = 0.2

/** As it lies beside this file: compiled or not. */
const THREAD = new URL(
  `commit-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

export interface CommitLinkParts {
  readonly terms: CommitTerms
  readonly received: (reply: CommitReply) => void
  /** Whoever commits has died, or could not begin. */
  readonly broken: (error: LogError) => void
}

/**
 * The way to whoever commits. On a quiet disk that is this thread: a commit then takes less than it
 * takes to wake another. When commits turn out to be slow, or somebody else holds the file, a thread of
 * their own takes over for good, and nobody here waits for the disk any more.
 */
export class CommitLink {
  readonly #parts: CommitLinkParts
  readonly #closing = new Int32Array(new SharedArrayBuffer(4))
  #here: Committer | undefined
  #place: 'here' | 'thread' = 'here'
  #commitMs = 0
  #worker: Worker | undefined
  #held = false
  readonly #ended = Promise.withResolvers<Failure | null>()

  constructor(parts: CommitLinkParts) {
    this.#parts = parts
  }

  send(requests: readonly CommitRequest[]): void {
    try {
      if (this.#place === 'here' && this.#commitHere(requests)) return
      this.#worker ??= this.#start()
      this.#worker.postMessage(encodeRequests(requests))
    } catch (error) {
      const failure = storageError('append', error)
      setImmediate(() => this.#parts.broken(failure))
    }
  }

  /** The process goes on until `release`. */
  hold(): void {
    this.#held = true
    this.#worker?.ref()
  }

  release(): void {
    this.#held = false
    this.#worker?.unref()
  }

  /** From now on a busy file is not waited for. */
  hurry(): void {
    Atomics.store(this.#closing, 0, 1)
    Atomics.notify(this.#closing, 0)
  }

  /** Ends whoever commits, once all that was sent is done. */
  async close(): Promise<Failure | null> {
    if (!this.#worker) return this.#here?.close() ?? null
    this.hold()
    this.send([{ kind: 'close' }])
    return this.#ended.promise
  }

  /** False when somebody else holds the file, which only a thread of its own may wait for. */
  #commitHere(requests: readonly CommitRequest[]): boolean {
    this.#here ??= openCommitter(this.#parts.terms, {
      reply: (reply) => this.#receiveSoon(reply),
      wait: () => false,
    })
    if (!this.#here.begins()) {
      this.#leave(this.#here)
      return false
    }
    for (const request of requests) this.#here.receive(request)
    const since = performance.now()
    this.#here.settle()
    if (requests.at(-1)?.kind !== 'flush') return true
    this.#commitMs += WEIGHT_OF_LAST * (performance.now() - since - this.#commitMs)
    if (this.#commitMs > SLOW_COMMIT_MS && this.#here.isIdle) this.#leave(this.#here)
    return true
  }

  /** Not before the sender is ready to hear of it; nor of a failure before those who wait have. */
  #receiveSoon(reply: CommitReply): void {
    if (reply.kind === 'failed') setImmediate(() => this.#parts.received(reply))
    else queueMicrotask(() => this.#parts.received(reply))
  }

  /** From the next request on, the thread commits. */
  #leave(committer: Committer): void {
    this.#here = undefined
    this.#place = 'thread'
    const failure = committer.close()
    if (failure) throw new LogError(failure.code, failure.message)
  }

  #start(): Worker {
    const workerData: CommitThreadData = { terms: this.#parts.terms, closing: this.#closing }
    const worker = new Worker(THREAD, {
      name: 'throughline-commits',
      workerData,
      // Not the process's: some of them, `--input-type` for one, no thread can begin with.
      execArgv: [],
      // Taken, so that the process's own are left alone: opening them would make a pipe non-blocking.
      stdout: true,
      stderr: true,
    })
    let closed: (CommitReply & { readonly kind: 'closed' }) | undefined
    worker.on('message', (text: string) => {
      const reply = decodeReply(text)
      if (reply.kind === 'closed') closed = reply
      else this.#parts.received(reply)
    })
    worker.on('error', (cause) => this.#parts.broken(dead(cause)))
    worker.once('exit', (code) => {
      if (!closed) this.#parts.broken(dead(`it ended with ${code}`))
      this.#ended.resolve(closed?.failure ?? null)
    })
    if (!this.#held) worker.unref()
    return worker
  }
}

function dead(cause: unknown): LogError {
  const state = cause instanceof Error ? cause.message : String(cause)
  return new LogError('io', `Cannot append: the thread that commits has died: ${state}`, { cause })
}
