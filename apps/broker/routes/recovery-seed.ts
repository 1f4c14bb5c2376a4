import { agentEvent } from 'throughline/agui'
import type { Gate } from 'throughline/gate'
import type { EventLog, Json, NewEvent } from 'throughline/log'
import { firstRecord } from 'throughline/server'
import type { Tokens } from 'throughline/server'
import { z } from 'zod'
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
  state: z.object({ case: z.looseObject({ sessionId: z.string() }) }).loose(),
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
      version: await this.#version(thread),
      state,
      customerMessages: messagesOf(conversation, 'customer'),
      installerMessages: messagesOf(conversation, 'installer'),
    })
  }

  /**
   * Brings a case back from its seed when the log holds nothing of it, and tells whether it did. A seed
   * that is forged, foreign or expired changes nothing, and neither does one for a case that is here.
   */
  async hydrate(thread: string, sealed: string | undefined): Promise<boolean> {
    if (sealed === undefined) return false
    const { success, data: seed } = content.safeParse(await this.#parts.tokens.open(sealed))
    if (!success || seed.threadId !== thread || seed.state.case.sessionId !== thread) return false
    const { gate, id, log } = this.#parts
    if ((await log.head(thread)) >= 0) return false
    const { state, version, customerMessages, installerMessages } = seed
    const data = { case: state.case, scenario: state['scenario'], fromVersion: version }
    const origin = { source: 'system', depth: 0 } as const
    const proposal = { id: id(), type: 'case_hydrated', data, origin }
    const { answers } = await gate.commit(thread, [proposal])
    if (answers.some(({ refusal }) => refusal)) return false
    await gate.append(thread, [
      ...installerMessages.flatMap((each) => restated(each, 'installer')),
      ...customerMessages.flatMap((each) => restated(each, 'customer')),
    ])
    return true
  }

  /** How far the case has come, over all the logs that have held it; −1 when this one does not. */
  async #version(thread: string): Promise<number> {
    const { log } = this.#parts
    const first = await firstRecord(log, thread)
    return (await log.head(thread)) + (first?.type === 'case_hydrated' ? versionIn(first.data) : 0)
  }
}

function versionIn(data: Json): number {
  const { fromVersion } = z.object({ fromVersion: z.number() }).parse(data)
  return fromVersion + 1
}

function restated(message: ChatMessage, surface: Side): readonly NewEvent[] {
  const origin = { source: 'system', surface, depth: 0 } as const
  const { id: messageId, role, text: delta } = message
  const ts = Date.parse(message.createdAt)
  return [
    { ...agentEvent('TEXT_MESSAGE_START', { messageId, role }, origin), ts },
    { ...agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin), ts },
    { ...agentEvent('TEXT_MESSAGE_END', { messageId }, origin), ts },
  ]
}
