import { Throughline } from '../../src/application/index.ts'
import { customValue } from '../../src/activity/index.ts'
import { StoredLog } from '../../src/log/index.ts'
import type { LogRecord } from '../../src/log/index.ts'
import { sha256 } from '../../src/platform/index.ts'
import { chance } from '../chance.fixture.ts'
import { Clients } from './clients.ts'
import type { Server } from './clients.ts'
import { judge } from './judgement.ts'
import { shopIn } from './shop.ts'
import type { Shop } from './shop.ts'
import { SimulatedDatabase, SimulatedBackend } from './simulated-store.ts'
import { SimulatedProcess, VirtualTime, uninstall } from './virtual-time.ts'

const THREADS = ['one', 'two'] as const
const SERVERS = ['a', 'b'] as const
const ACTS_MIN = 8
const ACTS_MAX = 28
/** Faults happen until then, in milliseconds; afterwards everything is mended. */
const FAULTS_MS = 40_000
/** In this time everything that is open has to end. */
const MENDED_MS = 240_000
/** Longer than a deadline, and than the wait for a lease that nobody releases. */
const QUIET_MS = 25_000

export interface Told {
  /** What broke a promise. */
  readonly broken: readonly string[]
  /** Of all records, and of what happened on the way. */
  readonly digest: string
  readonly counts: Readonly<Record<string, number>>
  /** The acts and faults, with their times. */
  readonly happened: readonly string[]
}

/** Lives one history of two servers, with everything that goes wrong in it, and says what it broke. */
export async function live(seed: number): Promise<Told> {
  const random = chance(seed)
  const time = new VirtualTime(random)
  time.install()
  try {
    return await new History(time, random).live()
  } finally {
    uninstall()
  }
}

class History {
  readonly #time: VirtualTime
  readonly #random: () => number
  readonly #database: SimulatedDatabase
  readonly #clients: Clients
  readonly #app
  readonly #servers = new Map<string, Server>()
  readonly #happened: string[] = []
  readonly #counts: Record<string, number> = {}

  constructor(time: VirtualTime, random: () => number) {
    this.#time = time
    this.#random = random
    this.#database = new SimulatedDatabase(time, random)
    this.#app = shopIn({ time, random })
    const server = (): Server | undefined => this.#anyServer()
    const note = (what: string): void => this.#note(what)
    this.#clients = new Clients({ time, random, server, note })
  }

  async live(): Promise<Told> {
    const end = this.#time.now + FAULTS_MS
    for (const name of SERVERS) this.#start(name)
    const seen = new Map(THREADS.map((thread) => [thread, this.#clients.read(thread)]))
    const acts = ACTS_MIN + Math.floor(this.#random() * (ACTS_MAX - ACTS_MIN))
    for (let at = 0; at < acts; at++) this.#plan()
    await this.#time.run(end)
    await this.#mend()
    const broken = this.#clients.open > 0 ? [`${this.#clients.open} requests have no answer`] : []
    const all: LogRecord[] = []
    for (const thread of THREADS) {
      const records = await this.#recordsOf(thread)
      const left = { records, ...this.#askedIn(thread), states: await this.#statesOf(thread) }
      broken.push(...judge({ ...left, seen: seen.get(thread) ?? [] }))
      all.push(...records)
    }
    this.#countIn(all)
    const digest = sha256(JSON.stringify([...all, ...this.#happened]))
    return { broken, digest, counts: this.#counts, happened: this.#happened }
  }

  #plan(): void {
    const thread = this.#anyOf(THREADS)
    const chosen = this.#random()
    const [, act] = this.#acts(thread).find(([until]) => chosen < until) ?? []
    if (act) this.#time.after(this.#random() * FAULTS_MS, act, null)
  }

  /** Each with the sum of the shares up to it. */
  #acts(thread: string): readonly (readonly [number, () => void])[] {
    return [
      [0.3, () => this.#clients.order(thread)],
      [0.6, () => this.#clients.message(thread)],
      [0.63, () => this.#clients.cancel(thread)],
      [0.75, () => this.#kill()],
      [0.85, () => this.#standStill()],
      [0.92, () => this.#cutOff()],
      [0.96, () => this.#fill()],
      [1, () => this.#setClock()],
    ]
  }

  #start(name: string): void {
    const time = this.#time
    const process = new SimulatedProcess(`${name}-${time.now}`)
    const database = new SimulatedBackend(this.#database, process)
    const log = new StoredLog(database)
    const now = (): number => time.now + process.clockError
    const clock = { now, after: (ms: number, work: () => void) => time.after(ms, work).cancel }
    const id = (): string => time.uuid()
    const onFault = (error: unknown): void => this.#note(`fault: ${String(error)}`)
    const parts = { log, apps: [this.#app], now, clock, id, sha256, onFault }
    const started = time.as(process, () => Throughline.start(parts))
    started.then(
      (tl) => {
        this.#servers.set(name, { process, database, tl })
        this.#note(`${name} serves`)
      },
      (error: unknown) => {
        this.#note(`${name} cannot start: ${String(error)}`)
        database.cut()
        time.after(1_000, () => this.#start(name), null)
      },
    )
  }

  #kill(): void {
    const name = this.#anyOf(SERVERS)
    const server = this.#servers.get(name)
    if (!server) return
    this.#servers.delete(name)
    server.process.isDead = true
    server.database.cut()
    this.#happens('kills', server)
    this.#time.after(12_000 * this.#random() ** 2, () => this.#start(name), null)
  }

  #standStill(): void {
    const server = this.#anyServer()
    if (!server) return
    server.process.standsStillUntil = this.#time.now + 25_000 * this.#random() ** 2
    this.#happens('pauses', server)
  }

  #cutOff(): void {
    const server = this.#anyServer()
    if (!server) return
    server.database.cutOffUntil = this.#time.now + 20_000 * this.#random() ** 2
    this.#happens('cuts', server)
  }

  #fill(): void {
    this.#database.fullUntil = this.#time.now + 8_000 * this.#random()
    this.#happens('full disks')
  }

  #setClock(): void {
    const server = this.#anyServer()
    if (!server) return
    server.process.clockError = Math.floor(120_000 * (this.#random() - 0.5))
    this.#happens('wrong clocks', server)
  }

  /** Ends all faults, and waits until nothing moves any more. */
  async #mend(): Promise<void> {
    this.#clients.stay()
    this.#database.fullUntil = 0
    this.#database.losses = 0
    for (const { process, database } of this.#servers.values()) {
      process.standsStillUntil = 0
      process.clockError = 0
      database.cutOffUntil = 0
    }
    const end = this.#time.now + MENDED_MS
    let before = ''
    while (this.#time.now < end) {
      await this.#time.run(this.#time.now + QUIET_MS)
      const heads = await Promise.all(THREADS.map((thread) => this.#database.log.head(thread)))
      if (heads.join() === before && this.#isIdle) return
      before = heads.join()
    }
  }

  get #isIdle(): boolean {
    const loads = Array.from(this.#servers.values(), ({ tl }) => tl.load)
    const due = loads.reduce(
      (sum, { dueThreads, timedThreads }) => sum + dueThreads + timedThreads,
      0,
    )
    return this.#clients.open === 0 && due === 0
  }

  async #recordsOf(thread: string): Promise<readonly LogRecord[]> {
    const all: LogRecord[] = []
    for await (const batch of this.#database.log.read(thread)) all.push(...batch)
    return all
  }

  #askedIn(thread: string) {
    const { taken, messages } = this.#clients
    const own = [...taken].filter(([, order]) => order.thread === thread)
    return {
      stored: this.#database.stored.filter((each) => each.thread === thread),
      taken: new Map(own.map(([id, { n }]) => [id, n])),
      messages: [...messages].flatMap(([text, of]) => (of === thread ? text : [])),
    }
  }

  async #statesOf(thread: string) {
    if ((await this.#database.log.head(thread)) < 0) return []
    const asked = Array.from(this.#servers.values(), ({ tl, process }) =>
      this.#time.as(process, () => tl.state(thread)),
    )
    let states: Awaited<(typeof asked)[number]>[] | undefined
    void Promise.all(asked).then((all) => (states = all))
    for (let tries = 0; tries < 100 && !states; tries++) await this.#time.run(this.#time.now + 100)
    if (!states) throw new Error(`Cannot judge "${thread}": a server does not answer`)
    return states as readonly { readonly seq: number; readonly state: Shop }[]
  }

  #countIn(records: readonly LogRecord[]): void {
    const of = (type: string) => records.filter((record) => record.type === type).length
    for (const type of ['RUN_STARTED', 'noted', 'charged', 'lapsed']) this.#count(type, of(type))
    const failed = records.filter((record) => customValue(record, 'effect_failed') !== undefined)
    this.#count('effect_failed', failed.length)
    this.#count('records', records.length)
  }

  /** Undefined where the chosen one is dead. */
  #anyServer(): Server | undefined {
    return this.#servers.get(this.#anyOf(SERVERS))
  }

  #anyOf<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.#random() * items.length)] ?? items[0]
  }

  #happens(fault: string, server?: Server): void {
    this.#count(fault)
    this.#note(server ? `${fault}: ${server.process.name}` : fault)
  }

  #note(what: string): void {
    this.#happened.push(`${this.#time.now} ${what}`)
  }

  #count(what: string, times = 1): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + times
  }
}
