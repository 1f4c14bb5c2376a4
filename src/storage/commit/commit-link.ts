import { Worker } from 'node:worker_threads'
import { thrownMessage } from '../../json/index.ts'
import { LogError } from '../../log/index.ts'
import type { CommitRequest } from './commit-thread.ts'
import { decodeCommitted, decodeFailure, encodeAppends } from './commit-wire.ts'
import { openCommitter } from './committer.ts'
import type { Committed, Committer } from './committer.ts'
import type { DraftedAppend } from './drafted-append.ts'
import type { ClaimedStore } from './claim-store.ts'
import type { HeadsFile } from '../heads/heads-file.ts'

/** A disk that mostly takes longer than this for a commit is waited for in a thread of its own. */
export const SLOW_COMMIT_MS = 5
/** The needed excess of slow commits over quick ones, because a busy processor may delay a few. */
const SLOW_COMMITS = 8

export interface CommitLinkOptions {
  /** The file of heads that is open in this thread. */
  readonly headsFile: HeadsFile
  readonly slowCommitMs: number
  readonly onWarning: (warning: string) => void
}

/**
 * The link to the committer. On a quick disk it runs in this thread: a commit then takes less than it
 * takes to wake another. Once the disk turns out to be slow, a thread of its own takes over for good,
 * and this thread waits for the disk no more. If that thread cannot start, commits stay here.
 */
export class CommitLink {
  readonly #store: ClaimedStore
  readonly #options: CommitLinkOptions
  #here: Committer | undefined
  #slowCommits = 0
  #starting: Promise<void> | undefined
  #thread: CommitThread | undefined

  constructor(store: ClaimedStore, options: CommitLinkOptions) {
    this.#store = store
    this.#options = options
  }

  /** Rejects when the committer has failed for good. One group at a time. */
  async commit(group: readonly DraftedAppend[]): Promise<Committed> {
    if (this.#thread) {
      this.#closeHere()
      return this.#thread.commit(group)
    }
    this.#here ??= openCommitter(this.#store, this.#options.headsFile)
    const committed = this.#here.commit(group)
    if (committed.status === 'committed' && !committed.failure) this.#weigh(committed.diskMs)
    return committed
  }

  /** @throws {@link LogError} */
  async close(): Promise<void> {
    this.#closeHere()
    await this.#starting
    await this.#thread?.close()
  }

  #closeHere(): void {
    this.#here?.close()
    this.#here = undefined
  }

  #weigh(diskMs: number): void {
    const step = diskMs > this.#options.slowCommitMs ? 1 : -1
    this.#slowCommits = Math.max(0, this.#slowCommits + step)
    if (this.#slowCommits >= SLOW_COMMITS) this.#starting ??= this.#startThread()
  }

  async #startThread(): Promise<void> {
    try {
      this.#thread = await CommitThread.start(this.#store)
    } catch (error) {
      this.#options.onWarning(
        'The disk is slow, and the thread for commits cannot start, so that requests wait for the ' +
          `disk: ${thrownMessage(error)}; a bundle must leave out the package throughline, as an external module`,
      )
    }
  }
}

/** The committer in another thread, asked for one thing at a time. */
class CommitThread {
  readonly #worker: Worker
  #answer: PromiseWithResolvers<string> | undefined
  #death: LogError | undefined

  private constructor(store: ClaimedStore) {
    // The file beside this one, compiled or not. A bundle may have no such file.
    const isSource = import.meta.url.endsWith('.ts')
    const file = `commit-thread.${isSource ? 'ts' : 'js'}`
    this.#worker = new Worker(new URL(file, import.meta.url), {
      name: 'throughline-commits',
      workerData: store,
      // Not the process's arguments: a worker cannot start with some of them, such as `--input-type`.
      execArgv: isSource ? ['--conditions=throughline-source'] : [],
      // Taken, so that the process's own are left alone: opening them would make a pipe non-blocking.
      stdout: true,
      stderr: true,
    })
    this.#worker.on('message', (text: string) => this.#answer?.resolve(text))
    this.#worker.once('error', (cause) => this.#die(cause))
    this.#worker.once('exit', (code) => this.#die(`it ended with ${code}`))
  }

  /** Rejects when the thread cannot run. */
  static async start(store: ClaimedStore): Promise<CommitThread> {
    const thread = new CommitThread(store)
    thread.#answer = Promise.withResolvers<string>()
    // Until it runs, the process lives: a log that is closed meanwhile waits for it.
    await thread.#answer.promise
    thread.#worker.unref()
    return thread
  }

  async commit(group: readonly DraftedAppend[]): Promise<Committed> {
    return decodeCommitted(await this.#ask(encodeAppends(group)), group)
  }

  /** @throws {@link LogError} */
  async close(): Promise<void> {
    if (this.#death) return
    const failure = decodeFailure(await this.#ask('close'))
    await this.#worker.terminate()
    if (failure) throw failure
  }

  /** The process goes on until the answer is there. */
  async #ask(message: CommitRequest): Promise<string> {
    if (this.#death) throw this.#death
    this.#answer = Promise.withResolvers<string>()
    this.#worker.ref()
    this.#worker.postMessage(message)
    try {
      return await this.#answer.promise
    } finally {
      this.#worker.unref()
    }
  }

  #die(cause: unknown): void {
    const message = `Cannot append: the thread that commits has died: ${thrownMessage(cause)}`
    this.#death ??= new LogError('io', message, { cause })
    this.#answer?.reject(this.#death)
  }
}
