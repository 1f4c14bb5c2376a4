import { agentEvent } from 'throughline/agui'
import type { Gate } from 'throughline/gate'
import type { EventLog, Json, NewEvent } from 'throughline/log'
import { firstRecord } from 'throughline/server'
import { stableId } from 'throughline/runs'
import type { Tokens } from 'throughline/server'
import { z } from 'zod'
import { brokerState } from '../case/case-schema.ts'
import type { BrokerState } from '../case/index.ts'
import type { ChatMessage } from '../case/state.ts'
import { messagesOf } from './messages.ts'
import type { Side } from './messages.ts'

const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  createdAt: z.iso.datetime(),
})

const content = z.object({
  v: z.literal(1),
  threadId: z.string(),
  version: z.int().min(0),
  // Checked here already: a thread must not begin with the refusal of what is no case.
  state: brokerState,
  customerMessages: z.array(message),
  installerMessages: z.array(message),
})

export interface SeedParts {
  readonly log: EventLog
  readonly gate: Gate<BrokerState>
  readonly tokens: Tokens
  readonly id: () => string
}

/** Builds and takes back what a page carries for a server that may not hold its case. */
export class RecoverySeeds {
  readonly #parts: SeedParts

  constructor(parts: SeedParts) {
    this.#parts = parts
  }

  async build(thread: string): Promise<string> {
    const { state, conversation } = await this.#parts.gate.snapshot(thread)
    return this.#parts.tokens.seal({
      v: 1,
      threadId: thread,
      version: (await this.#version(thread)).version,
      state,
      customerMessages: newest(messagesOf(conversation, 'customer')),
      installerMessages: newest(messagesOf(conversation, 'installer')),
    })
  }

  /**
   * Brings a case back from its seed when the log holds an earlier version of it or none at all, and
   * tells whether it did. A seed that is forged, foreign, expired or older changes nothing.
   */
  async hydrate(thread: string, sealed: string | undefined): Promise<boolean> {
    if (sealed === undefined) return false
    const { success, data: seed } = content.safeParse(await this.#parts.tokens.open(sealed))
    if (!success || seed.threadId !== thread || seed.state.case.sessionId !== thread) return false
    const held = await this.#version(thread)
    const begun = held.from === seed.version
    if (seed.version <= held.version && !begun) return false
    const { gate, id } = this.#parts
    const { state, version, customerMessages, installerMessages } = seed
    const data = { ...state, fromVersion: version }
    const origin = { source: 'system', depth: 0 } as const
    const proposal = { id: id(), type: 'case_hydrated', data, origin }
    if (!begun) {
      const { answers } = await gate.commit(thread, [proposal])
      if (answers.some(({ refusal }) => refusal)) return false
    }
    await gate.append(thread, [
      ...installerMessages.flatMap((each) => restated(each, 'installer')),
      ...customerMessages.flatMap((each) => restated(each, 'customer')),
    ])
    return !begun
  }

  /** How far the case has come, over all the logs that have held it; −1 when this one does not. */
  async #version(thread: string): Promise<{ version: number; from?: number }> {
    const { log } = this.#parts
    const head = await log.head(thread)
    const first = await firstRecord(log, thread)
    if (first?.type !== 'case_hydrated') return { version: head }
    let last = first
    for await (const batch of log.read(thread)) {
      last = batch.findLast(({ type }) => type === 'case_hydrated') ?? last
    }
    const from = versionIn(last.data)
    return { version: head - last.seq + from + 1, from }
  }
}

/** The messages of one side that a seed carries, newest kept, in bytes: the page sends it each time. */
export const SEED_MESSAGES_BYTES_MAX = 32_768

function newest(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let room = SEED_MESSAGES_BYTES_MAX
  const from = messages.findLastIndex(
    (message) => (room -= Buffer.byteLength(JSON.stringify(message))) < 0,
  )
  return messages.slice(from + 1)
}

function versionIn(data: Json): number {
  const { fromVersion } = z.object({ fromVersion: z.number() }).parse(data)
  return fromVersion
}

function restated(message: ChatMessage, surface: Side): readonly NewEvent[] {
  const { id: messageId, role, text: delta } = message
  // Said again by whoever said it: an echo of it stays an echo, and the story keeps its speakers.
  const origin = { source: role === 'user' ? 'ui' : 'model', surface, depth: 0 } as const
  const ts = Date.parse(message.createdAt)
  return [
    { ...agentEvent('TEXT_MESSAGE_START', { messageId, role }, origin), ts },
    { ...agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin), ts },
    { ...agentEvent('TEXT_MESSAGE_END', { messageId }, origin), ts },
  ].map((event) => ({ ...event, id: stableId(messageId, event.type) }))
}
