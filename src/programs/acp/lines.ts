import { z } from 'zod'

/** A text of a message; content of other types is ignored. */
const content = z.looseObject({ type: z.string(), text: z.string().optional() })

const chunk = z.object({ content, messageId: z.string().nullish() })

const toolContent = z.looseObject({ type: z.string(), content: content.optional() })

const toolCall = z.object({
  toolCallId: z.string(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  kind: z.string().nullish(),
  status: z.string().nullish(),
  content: z.array(toolContent).nullish(),
  rawInput: z.json().optional(),
  rawOutput: z.json().optional(),
})

export type AcpToolCall = z.output<typeof toolCall>

const update = z.discriminatedUnion('sessionUpdate', [
  chunk.extend({ sessionUpdate: z.literal('agent_message_chunk') }),
  chunk.extend({ sessionUpdate: z.literal('agent_thought_chunk') }),
  toolCall.extend({ sessionUpdate: z.literal('tool_call') }),
  toolCall.extend({ sessionUpdate: z.literal('tool_call_update') }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    cost: z.object({ amount: z.number(), currency: z.string() }).nullish(),
  }),
])

export type AcpUpdate = z.output<typeof update>

const KNOWN_UPDATES: ReadonlySet<unknown> = new Set(
  update.options.map(({ shape }) => shape.sessionUpdate.value),
)

const id = z.union([z.string(), z.number()])

export type RpcId = z.output<typeof id>

export const sessionUpdate = z.object({
  sessionId: z.string(),
  update: z.preprocess((given) => (isKnownUpdate(given) ? given : undefined), update.optional()),
})

function isKnownUpdate(given: unknown): boolean {
  const isUpdate = typeof given === 'object' && given !== null && 'sessionUpdate' in given
  return isUpdate && KNOWN_UPDATES.has(given.sessionUpdate)
}

export const permissionRequest = z.object({
  toolCall,
  options: z.array(
    z.object({ optionId: z.string(), name: z.string().default(''), kind: z.string().nullish() }),
  ),
})

export type AcpPermission = z.output<typeof permissionRequest>

export const initialized = z.object({
  protocolVersion: z.number(),
  agentCapabilities: z.looseObject({ loadSession: z.boolean().default(false) }).optional(),
  agentInfo: z.looseObject({ name: z.string(), version: z.string().default('') }).nullish(),
})

export const sessionOpened = z.looseObject({
  sessionId: z.string().optional(),
  configOptions: z
    .array(z.looseObject({ id: z.string(), currentValue: z.unknown() }))
    .nullish()
    .catch(undefined),
})

const count = z.number().nullish()

export const promptEnded = z.object({
  stopReason: z.string(),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
    })
    .nullish(),
})

export type AcpPromptEnded = z.output<typeof promptEnded>

const rpcError = z.looseObject({ code: z.number(), message: z.string() })

export type RpcError = z.output<typeof rpcError>

/** A request, a notification or an answer of JSON-RPC. */
export const rpcMessage = z.object({
  id: id.nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: rpcError.optional(),
})

export type RpcMessage = z.output<typeof rpcMessage>
