import type { McpServer, ReadResourceResult, Variables } from '@modelcontextprotocol/server'
import { EMPTY_CONVERSATION, foldConversation, isSpoken } from '../../activity/index.ts'
import type { Conversation } from '../../activity/index.ts'
import type { LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import { notFound } from '../problems/problem.ts'
import { verdictOn } from './evidence-routes.ts'
import { reported } from './mcp-serving.ts'
import type { McpServing } from './mcp-serving.ts'
import type { Entered } from './thread-entry.ts'
import { threadsFor } from './thread-list-route.ts'

/** Threads that a client's list of resources holds: those that moved last. */
export const MCP_THREADS_LISTED_MAX = 100
/** The newest messages and records that a resource of a thread holds. */
export const MCP_MESSAGES_MAX = 200
export const MCP_RECORDS_MAX = 1_000

const THREADS = 'throughline://threads/'
const MIME = 'application/json'

/** Threads as resources: what was said, the state, and the records with what vouches for them. */
export class McpResources {
  readonly #serving: McpServing

  constructor(serving: McpServing) {
    this.#serving = serving
  }

  register(server: McpServer): void {
    const { ResourceTemplate } = this.#serving.mcp
    const list = async () => ({ resources: await this.#listed() })
    server.registerResource(
      'thread',
      new ResourceTemplate(`${THREADS}{thread}`, { list }),
      { mimeType: MIME, description: 'What was said in a thread, and what it waits for.' },
      (uri, given) => this.#read(uri, given, (entered) => this.#conversation(entered)),
    )
    server.registerResource(
      'state',
      new ResourceTemplate(`${THREADS}{thread}/state`, { list: undefined }),
      { mimeType: MIME, description: 'The state of a thread.' },
      (uri, given) => this.#read(uri, given, ({ view, thread }) => view.state(thread)),
    )
    server.registerResource(
      'audit',
      new ResourceTemplate(`${THREADS}{thread}/audit`, { list: undefined }),
      {
        mimeType: MIME,
        description: `The newest ${MCP_RECORDS_MAX} records of a thread, and whether its chain of hashes holds.`,
      },
      (uri, given) => this.#read(uri, given, (entered) => this.#audit(entered)),
    )
  }

  async #listed() {
    const { context, parts } = this.#serving
    const query = { limit: MCP_THREADS_LISTED_MAX }
    const entrant = await parts.access.entrant(context)
    const { threads } = await threadsFor(entrant, { context, parts, query })
    return threads.map(({ thread }) => ({
      uri: THREADS + encodeURIComponent(thread),
      name: thread,
      mimeType: MIME,
    }))
  }

  async #read(
    uri: URL,
    { thread = '' }: Variables,
    read: (entered: Entered) => Promise<unknown>,
  ): Promise<ReadResourceResult> {
    const { context, parts, mcp } = this.#serving
    try {
      const entered = await parts.entry.enterNamed(context, threadNamed(String(thread)))
      const value = await parts.quotas.read(entered.entrant, () => read(entered))
      return { contents: [{ uri: uri.href, mimeType: MIME, text: JSON.stringify(value) }] }
    } catch (error) {
      const { code, message } = reported(this.#serving, error)
      if (code === 'not_found') throw new mcp.ResourceNotFoundError(uri.href, message)
      throw new mcp.ProtocolError(mcp.ProtocolErrorCode.InvalidParams, message, { code })
    }
  }

  async #conversation({ thread, view, owner, role, as }: Entered) {
    let conversation: Conversation = EMPTY_CONVERSATION
    const pace = new Pace()
    for await (const records of this.#serving.parts.throughline.log.read(thread)) {
      const shown = records.flatMap((record) => view.record(record) ?? [])
      conversation = foldConversation(conversation, shown)
      await pace.rest()
    }
    const spoken = conversation.messages.filter(isSpoken)
    const messages = spoken
      .slice(-MCP_MESSAGES_MAX)
      .map(({ id, role: by, text, ts, agent, status }) => ({
        id,
        role: by,
        text,
        ts,
        agent,
        status,
      }))
    const waits = await owner.waits(thread, { role, ...as })
    const asked = waits.map(({ id, reason, requestKeys, agent }) => ({
      id,
      reason,
      requestKeys,
      agent,
    }))
    return {
      thread,
      app: owner.name,
      messages,
      earlier: spoken.length - messages.length,
      waits: asked,
    }
  }

  async #audit({ thread, view }: Entered) {
    const { throughline } = this.#serving.parts
    const head = await throughline.log.head(thread)
    const after = Math.max(-1, head - MCP_RECORDS_MAX)
    const records: LogRecord[] = []
    for await (const batch of throughline.log.read(thread, { after, limit: head - after }))
      records.push(...batch.flatMap((record) => view.record(record) ?? []))
    return { thread, head, after, verdict: await verdictOn(thread, view, { throughline }), records }
  }
}

function threadNamed(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw notFound('thread')
  }
}
