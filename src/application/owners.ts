import { textOf } from '../json/index.ts'
import { isThreadName } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'
import { ApplicationError } from './app-error.ts'
import { isOpenedBy } from './define-app.ts'
import type { App, OpeningParts } from './define-app.ts'
import type { OpenedApp } from './opened-app.ts'

/** Threads whose application is kept in memory; the oldest are looked up again. */
export const OWNERS_KEPT_MAX = 10_000
/** A request or what a turn begins with may stand before the event that opened a thread. */
const OPENING_RECORDS_MAX = 4

/** Says to which application a thread belongs: by how it began. */
export class Owners {
  readonly #log: EventLog
  readonly #apps: readonly OpenedApp[]
  readonly #known = new NewestMap<OpenedApp>(OWNERS_KEPT_MAX)

  constructor(log: EventLog, apps: readonly OpenedApp[]) {
    this.#log = log
    this.#apps = apps
  }

  async of(thread: string): Promise<OpenedApp | undefined> {
    const known = this.#known.get(thread)
    if (known) return known
    if (!isThreadName(thread)) return undefined
    const owner = await this.#find(thread)
    // How a thread began never changes; an empty one may still begin.
    if (owner) this.#known.set(thread, owner)
    return owner
  }

  /** The application whose thread begins with an event of this type, of this agent. */
  openedBy(type: string, agent?: string): OpenedApp | undefined {
    return this.#apps.find(({ app }) => isOpenedBy(app, type, agent))
  }

  async #find(thread: string): Promise<OpenedApp | undefined> {
    for await (const records of this.#log.read(thread, { limit: OPENING_RECORDS_MAX })) {
      const owner = ownerIn(
        this.#apps.map(({ app }) => app),
        records,
      )
      const found = owner && this.#apps.find(({ app }) => app === owner)
      if (found) return found
    }
    return undefined
  }
}

/** The one of some applications that a thread with these first records belongs to. */
export function ownerIn<Of extends OpeningParts>(
  apps: readonly Of[],
  records: readonly LogRecord[],
): Of | undefined {
  for (const record of records.slice(0, OPENING_RECORDS_MAX)) {
    const [type, { agent }] = [openingType(record), record.origin]
    const owner = apps.find((app) => isOpenedBy(app, type, agent))
    const found = owner ?? (type === 'RUN_STARTED' ? onlyWithRuns(apps) : undefined)
    if (found) return found
  }
  return undefined
}

/** A run of an agent that is defined no more is still of the only application that it can be of. */
function onlyWithRuns<Of extends OpeningParts>(apps: readonly Of[]): Of | undefined {
  const [only, ...more] = apps.filter(
    ({ opens }) => opens === undefined || opens.includes('RUN_STARTED'),
  )
  return more.length === 0 ? only : undefined
}

/** A refused event counts as the proposed one. */
function openingType({ type, data }: LogRecord): string {
  return type === 'event_refused' ? textOf(data, 'type') : type
}

/** @throws {@link ApplicationError} `ambiguous_app` when two would take the same threads for theirs */
export function requireDistinct(apps: readonly App[]): void {
  const taken = new Map<string, string>()
  for (const { name, opens, domain, agents } of apps) {
    const take = (key: string, mend: string): void => {
      const other = taken.get(key)
      if (other !== undefined) throw ambiguous(`"${name}" beside "${other}": both ${key}; ${mend}`)
      taken.set(key, name)
    }
    if (taken.has(name)) throw ambiguous(`two applications called "${name}"; rename one`)
    taken.set(name, name)
    for (const type of opens ?? domain.events.keys()) {
      take(`begin threads with "${type}"`, 'list in the `opens` of each what begins its threads')
    }
    for (const agent of agents) {
      take(`have the agent "${agent.name}"`, 'rename it in one of them')
    }
  }
}

function ambiguous(what: string): ApplicationError {
  return new ApplicationError('ambiguous_app', `Cannot open ${what}`)
}
