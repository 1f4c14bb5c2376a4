import type { AnyApp } from '../application/index.ts'
import { kindOf, unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import type { EventLog } from '../log/index.ts'
import { definitionsIn } from './definition.ts'
import type { Definition } from './definition.ts'
import { watchImpurity } from './impurity.ts'
import { ReplayError } from './replay-error.ts'
import { ReplaySummary } from './replay-summary.ts'
import { replayThread } from './replay-thread.ts'
import { ofApplications, openStoredThreads } from './stored-threads.ts'
import type { StoredThreads } from './stored-threads.ts'

/** A domain whatever its state. */
export interface AnyDomain {
  readonly name: string
  readonly initial: unknown
  readonly events: Pick<ReadonlyMap<string, unknown>, 'has'>
}

export interface ReplayedOptions {
  /** All threads when it names none. */
  readonly threads?: readonly string[]
  /** 1 folds the records; 2, the default, also decides each proposal again. */
  readonly level?: 1 | 2
  /** The definition that made the records: then their states are compared too. */
  readonly base?: AnyApp | AnyDomain
}

/** How many threads were replayed, and how many of them belong to no such application. */
export interface Replayed {
  readonly threads: number
  readonly decided: number
  readonly skipped: number
}

/**
 * Tests a definition with recorded threads: each proposal is decided again and must come out as it is on record.
 * The threads are those of a log, of a store, or of a file in JSONL that an export gave.
 *
 * @throws {@link ReplayError} `differs`, which shows the first differences, also where threads cannot be told
 * @example
 * await replayed('incidents.jsonl', app)
 */
export async function replayed(
  store: string | Pick<EventLog, 'read' | 'find' | 'threads'>,
  against: AnyApp | AnyDomain,
  options: ReplayedOptions = {},
): Promise<Replayed> {
  const unknown = unknownMember(options, OPTIONS)
  if (unknown !== undefined) throw new ReplayError('no_definition', `Cannot replay: ${unknown}`)
  const { threads = [], level = 2, base } = options
  const definitions = [definitionOf(against)]
  const bases = base ? [definitionOf(base)] : []
  const stored = await storedIn(store)
  const watch = watchImpurity()
  const summary = new ReplaySummary()
  try {
    const names = threads.length > 0 ? threads : await stored.names()
    for (const thread of names) {
      summary.take(await replayThread(thread, { stored, definitions, bases, level, watch }))
    }
  } finally {
    watch.end()
    await stored.close()
  }
  const { counts, decided } = summary
  if (summary.verdict === 'equal') {
    return { threads: counts.equal, decided, skipped: counts.skipped }
  }
  const heading = 'The definition does not decide as it is on record:'
  throw new ReplayError('differs', [heading, ...summary.lines()].join('\n'))
}

async function storedIn(
  store: string | Pick<EventLog, 'read' | 'find' | 'threads'>,
): Promise<StoredThreads> {
  if (typeof store === 'string') return openStoredThreads({ sources: [store] })
  // A program without types may give anything.
  if (typeof (store as Partial<EventLog> | undefined)?.threads !== 'function') {
    const why = `it is ${kindOf(store)}; give an open log, an address or the file of an export`
    throw new ReplayError('no_store', `Cannot replay without a store: ${why}`)
  }
  return {
    names: async () => ofApplications(await store.threads()),
    read: (thread, options) => store.read(thread, options),
    find: (thread, id) => store.find(thread, id),
    // It was opened elsewhere.
    close: async () => undefined,
  }
}

const OPTIONS: KnownMembers<ReplayedOptions> = { threads: true, level: true, base: true }

/** @throws {@link ReplayError} `no_definition` for what a program without types may give */
function definitionOf(given: AnyApp | AnyDomain): Definition {
  // Each is used with its own state alone.
  const [definition] = definitionsIn({ given })
  if (definition) return definition
  const why = `it is ${kindOf(given)}; give an application or a domain`
  throw new ReplayError('no_definition', `Cannot replay without a definition: ${why}`)
}
