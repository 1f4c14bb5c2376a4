import type { Throughline } from '../../src/application/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import type { SimulatedBackend } from './simulated-store.ts'
import type { SimulatedProcess, VirtualTime } from './virtual-time.ts'

/** A server, from its start to its death. */
export interface Server {
  readonly process: SimulatedProcess
  readonly database: SimulatedBackend
  readonly tl: Throughline
}

/** How long a client waits for an answer before it asks again, maybe another server. */
const PATIENCE_MS = 25_000
/** How late a request arrives, and its answer. */
const LATE_MS = 5
/** A page changes its server after this time at the latest. */
const VISIT_MAX_MS = 15_000

export interface ClientsParts {
  readonly time: VirtualTime
  readonly random: () => number
  /** Any server that serves. */
  readonly server: () => Server | undefined
  readonly note: (what: string) => void
}

/** People and their pages: they ask, and ask again until they have an answer; they read without end. */
export class Clients {
  readonly #parts: ClientsParts
  /** Requests without an answer. */
  open = 0
  /** The orders that a client was told are taken, by the ids of their records. */
  readonly taken = new Map<string, { readonly thread: string; readonly n: number }>()
  /** The threads of messages, by their texts. */
  readonly messages = new Map<string, string>()
  #orders = 0
  #stays = false

  constructor(parts: ClientsParts) {
    this.#parts = parts
  }

  /** Some orders are given by two clients at once: one of them is refused. */
  order(thread: string): void {
    const { time, random } = this.#parts
    const n = ++this.#orders
    const clients = random() < 0.4 ? 2 : 1
    for (let client = 1; client <= clients; client++) {
      const id = time.uuid()
      this.#ask(`order ${n} of client ${client}`, async ({ tl }) => {
        const event = { id, type: 'ordered', data: { n } } as never
        const { answers } = await tl.propose(thread, [event])
        if (!answers[0]?.refusal) this.taken.set(id, { thread, n })
      })
    }
  }

  message(thread: string): void {
    const input = `message ${this.messages.size}`
    this.messages.set(input, thread)
    this.#ask(input, async ({ tl }) => {
      await tl.turn(thread, { agent: 'clerk', input, key: input }).result
    })
  }

  cancel(thread: string): void {
    this.#ask(`cancel in ${thread}`, async ({ tl }) => {
      await tl.cancel(thread)
    })
  }

  /** Reads a thread for as long as the history lasts, at one server after the other. */
  read(thread: string): readonly LogRecord[] {
    const { time, random, server: anyServer } = this.#parts
    const seen: LogRecord[] = []
    const visit = async ({ tl }: Server): Promise<void> => {
      const end = time.now + VISIT_MAX_MS * random()
      for await (const batch of tl.subscribe(thread, { after: seen.at(-1)?.seq ?? -1 })) {
        seen.push(...batch)
        if (time.now > end && !this.#stays) return
      }
    }
    const go = (): void => {
      const server = anyServer()
      if (!server) return void time.after(500, go, null)
      let hasGone = false
      const next = (): void => {
        if (!hasGone) time.after(300, go, null)
        hasGone = true
      }
      const look = (): void => {
        if (server.process.isDead) next()
        else if (!hasGone) time.after(1_000, look, null)
      }
      look()
      const visited = time.as(server.process, () => visit(server).catch(() => undefined))
      void visited.finally(() => next())
    }
    go()
    return seen
  }

  /** From now on readers stay where they are. */
  stay(): void {
    this.#stays = true
  }

  #ask(what: string, work: (server: Server) => Promise<void>): void {
    const { note } = this.#parts
    this.open++
    const attempt = async (): Promise<void> => {
      try {
        await this.#askOnce(work)
        this.open--
        note(`${what}: done`)
      } catch (error) {
        note(`${what}: ${String(error)}`)
        this.#parts.time.after(500 + 1_000 * this.#parts.random(), () => void attempt(), null)
      }
    }
    void attempt()
  }

  #askOnce(work: (server: Server) => Promise<void>): Promise<void> {
    const { time, random, server: anyServer } = this.#parts
    const server = anyServer()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    if (!server) return Promise.reject(new Error('nobody answers'))
    const { process } = server
    time.after(PATIENCE_MS, () => reject(new Error('no answer in time')), null)
    const answer = (give: () => void): void => void time.after(LATE_MS * random(), give, null)
    const arrive = (): void =>
      void work(server).then(
        () => answer(() => (process.isDead ? undefined : resolve())),
        (error: unknown) => answer(() => reject(error)),
      )
    time.after(LATE_MS * random(), arrive, process)
    return promise
  }
}
