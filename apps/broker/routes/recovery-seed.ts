import { COMMIT_RETRIES_MAX, NewestMap, agentEvent } from 'throughline/server/extend'
import { stableId } from 'throughline'
import { cutReplies, isSpoken } from 'throughline/client'
import type { Conversation, EventLog, NewEvent, Origin } from 'throughline'
import type { Gate, Snapshot } from 'throughline/server/extend'
import { LogError } from 'throughline/log'
import type { Tokens } from 'throughline/server'
import { z } from 'zod'
import { brokerState } from '../case/case-schema.ts'
import { seedSource } from '../case/index.ts'
import type { BrokerState } from '../case/index.ts'
import { CaseLines, NO_LINE } from './case-line.ts'
import type { CaseLine } from './case-line.ts'
import { messagesOf } from './messages.ts'
import type { Side } from './messages.ts'

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  createdAt: z.iso.datetime(),
  cut: z.enum(['stopped', 'failed', 'length']).exactOptional(),
})
type SeedMessage = z.infer<typeof message>

const content = z.object({
  v: z.literal(2),
  threadId: z.string(),
  source: seedSource,
  // Checked before it is proposed: a thread must not begin with a refusal.
  state: brokerState,
  customerMessages: z.array(message),
  installerMessages: z.array(message),
})

type Seed = z.infer<typeof content>

/**
 * The outcome of a seed. `invalid_seed`: it is forged, altered, expired, of another case or of an older
 * form. `already_held`: the store has everything that the seed names. `forked`: both have facts that
 * the other lacks.
 */
export type Hydration =
  | { readonly hydrated: true }
  | {
      readonly hydrated: false
      readonly reason: 'invalid_seed' | 'already_held' | 'forked'
    }

export interface SeedParts {
  readonly log: EventLog
  readonly gate: Gate<BrokerState>
  readonly tokens: Tokens
  readonly id: () => string
}

/** How long the same seed is sent again. */
export const SEED_REUSE_MS = 3_600_000
/** Cases whose latest seed is kept in memory; the oldest go first. */
export const SEEDS_KEPT_MAX = 100

interface BuiltSeed {
  /** Of the record that it was built at. */
  readonly hash: string
  readonly at: number
  readonly sealed: Promise<string>
}

const SYSTEM: Origin = { source: 'system', depth: 0 }

/** Builds and takes back what a page carries for a server that may not hold its case. */
export class RecoverySeeds {
  readonly #parts: SeedParts
  readonly #lines: CaseLines
  readonly #built = new NewestMap<BuiltSeed>(SEEDS_KEPT_MAX)

  constructor(parts: SeedParts) {
    this.#parts = parts
    this.#lines = new CaseLines(parts.log, parts.gate.domain)
  }

  /** Appends nothing. While nothing happens, a case has one seed: repeated requests get one answer. */
  async build(thread: string): Promise<string> {
    const snapshot = await this.#parts.gate.snapshot(thread)
    const { hash } = snapshot
    const built = this.#built.get(thread)
    const isFresh = built?.hash === hash && Date.now() - built.at < SEED_REUSE_MS
    if (isFresh) return built.sealed
    const sealed = this.#seal(thread, snapshot)
    this.#built.set(thread, { hash, at: Date.now(), sealed })
    sealed.catch(() => this.#built.delete(thread))
    return sealed
  }

  async #seal(
    thread: string,
    { seq, state, conversation }: Snapshot<BrokerState>,
  ): Promise<string> {
    const { head: from, points: line, submittedAt, cuts } = await this.#lines.at(thread, seq)
    const cutOf = cutReplies(conversation.messages.filter(isSpoken), cuts)
    const messagesIn = (side: Side) =>
      newest(
        messagesOf(conversation, side).map((said): SeedMessage => {
          const cut = cutOf.get(said.id)
          return cut === undefined ? said : { ...said, cut }
        }),
      )
    return this.#parts.tokens.seal({
      v: 2,
      threadId: thread,
      source: { from, line, ...(submittedAt === undefined ? {} : { submittedAt }) },
      state,
      customerMessages: messagesIn('customer'),
      installerMessages: messagesIn('installer'),
    })
  }

  /**
   * Brings a case back from its seed when the store holds nothing of it or an ancestor of the seed. Any
   * other seed changes nothing; one that has forked is recorded, once.
   */
  async hydrate(thread: string, sealed: string): Promise<Hydration> {
    const { success, data: seed } = content.safeParse(await this.#parts.tokens.open(sealed))
    if (!success || seed.threadId !== thread || seed.state.case.sessionId !== thread) return INVALID
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#take(thread, seed)
      } catch (error) {
        const overtaken = error instanceof LogError && error.code === 'version_conflict'
        if (!overtaken || attempt === COMMIT_RETRIES_MAX) throw error
      }
    }
  }

  async #take(thread: string, seed: Seed): Promise<Hydration> {
    const snapshot = await this.#parts.gate.snapshot(thread)
    if (snapshot.seq >= 0 && snapshot.state.case.sessionId !== thread) return INVALID
    const line = snapshot.seq < 0 ? NO_LINE : await this.#lines.at(thread, snapshot.seq)
    switch (await this.#relation(thread, seed, line)) {
      case 'same or older':
        return { hydrated: false, reason: 'already_held' }
      case 'forked':
        await this.#recordFork(thread, seed)
        return { hydrated: false, reason: 'forked' }
      case 'newer':
        return this.#append(thread, seed, snapshot)
    }
  }

  /** How a seed stands to a store, by the facts that they name: how many there are means nothing. */
  async #relation(
    thread: string,
    { source }: Seed,
    line: CaseLine,
  ): Promise<'same or older' | 'newer' | 'forked'> {
    const [head, last] = [line.points.at(-1), source.line.at(-1) ?? '']
    if (head === undefined) return 'newer'
    if (line.points.includes(last)) return 'same or older'
    if (source.line.includes(head)) return 'newer'
    // The store may hold more facts than a line names.
    return (await this.#lines.holds(thread, source.from)) ? 'same or older' : 'forked'
  }

  async #append(
    thread: string,
    { source, state, ...seed }: Seed,
    { seq, conversation }: Snapshot<BrokerState>,
  ): Promise<Hydration> {
    const { gate, id } = this.#parts
    const data = { ...state, ...source }
    const proposal = { id: id(), type: 'case_hydrated', data, origin: SYSTEM }
    const restated = [
      ...missingIn(conversation, seed.installerMessages).flatMap(restatedOn('installer')),
      ...missingIn(conversation, seed.customerMessages).flatMap(restatedOn('customer')),
    ]
    const { answers } = await gate.commit(thread, [proposal], {
      expectedVersion: seq,
      after: ({ decided }) => (decided.some(isRefusal) ? [] : restated),
    })
    return answers.some(({ refusal }) => refusal) ? INVALID : { hydrated: true }
  }

  async #recordFork(thread: string, { source: { from } }: Seed): Promise<void> {
    const detail =
      `The seed was made at record ${from.seq} of log ${from.epoch}, ` +
      'which is not part of this case as this log holds it'
    await this.#parts.gate.commit(thread, [
      {
        id: stableId(thread, 'forked seed', from.hash),
        type: 'case_hydrated',
        data: { from },
        origin: SYSTEM,
        refused: { refused: 'precondition', detail },
      },
    ])
  }
}

const INVALID = { hydrated: false, reason: 'invalid_seed' } as const

/** The messages of one side that a seed carries, newest kept, in bytes: the page sends it each time. */
export const SEED_MESSAGES_BYTES_MAX = 32_768

function newest(messages: readonly SeedMessage[]): readonly SeedMessage[] {
  let room = SEED_MESSAGES_BYTES_MAX
  const from = messages.findLastIndex(
    (message) => (room -= Buffer.byteLength(JSON.stringify(message))) < 0,
  )
  return messages.slice(from + 1)
}

function missingIn(
  conversation: Conversation,
  messages: readonly SeedMessage[],
): readonly SeedMessage[] {
  const held = new Set(conversation.messages.filter(isSpoken).map(({ id }) => id))
  return messages.filter(({ id }) => !held.has(id))
}

function restatedOn(surface: Side): (message: SeedMessage) => readonly NewEvent[] {
  return ({ id: messageId, role, text: delta, createdAt, cut }) => {
    // Each message keeps its speaker: an echo of it stays an echo.
    const origin = { source: role === 'user' ? 'ui' : 'model', surface, depth: 0 } as const
    const metadata = cut === undefined ? {} : { metadata: { throughline: { cut } } }
    return [
      agentEvent('TEXT_MESSAGE_START', { messageId, role }, origin),
      agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin),
      agentEvent('TEXT_MESSAGE_END', { messageId, ...metadata }, origin),
    ].map((event) => ({
      ...event,
      ts: Date.parse(createdAt),
      id: stableId(messageId, event.type),
    }))
  }
}

function isRefusal({ type }: NewEvent): boolean {
  return type === 'event_refused'
}
