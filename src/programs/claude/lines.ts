import { startOf } from '../../json/index.ts'
import { z } from 'zod'

/** A text, thought, call or result within a message; blocks of other types are ignored. */
const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z
    .object({ type: z.literal('thinking'), thinking: z.string() })
    .transform(({ type, thinking: text }) => ({ type, text })),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.json() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
    is_error: z.boolean().nullish(),
  }),
])

export type ClaudeBlock = z.output<typeof block>

const BLOCKS: ReadonlySet<unknown> = new Set(['text', 'thinking', 'tool_use', 'tool_result'])

const blocks = z.preprocess(
  (given) => (Array.isArray(given) ? given.filter(isKnownBlock) : given),
  z.array(block),
)

function isKnownBlock(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'type' in given && BLOCKS.has(given.type)
}

/** The CLI's own id of a line. */
const line = { uuid: z.string().optional() }

const speaker = { ...line, parent_tool_use_id: z.string().nullish() }

const assistant = z.object({
  ...speaker,
  type: z.literal('assistant'),
  message: z.object({ id: z.string(), model: z.string(), content: blocks }),
  aborted: z.boolean().optional(),
  error: z.string().nullish(),
  is_api_error_message: z.boolean().optional(),
  api_error_status: z.number().nullish(),
  user_message_uuids: z.array(z.string()).optional(),
})

const user = z.object({
  ...speaker,
  type: z.literal('user'),
  message: z.object({ content: z.union([z.string(), blocks]) }),
  isReplay: z.boolean().optional(),
  /** A tool's result as data; each tool has a shape of its own. */
  tool_use_result: z
    .object({ type: z.enum(['create', 'update']) })
    .optional()
    .catch(undefined),
})

const modelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: z.number().default(0),
  cacheCreationInputTokens: z.number().default(0),
  costUSD: z.number().default(0),
})

const usageByModel = z.record(z.string(), modelUsage)

export type ClaudeUsageByModel = z.output<typeof usageByModel>

const result = z.object({
  ...line,
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  num_turns: z.number().default(0),
  result: z.string().optional(),
  errors: z.array(z.string()).optional(),
  terminal_reason: z.string().nullish(),
  origin: z.looseObject({ kind: z.string(), runId: z.string().optional() }).nullish(),
  user_message_uuids: z.array(z.string()).optional(),
  total_cost_usd: z.number().nullish(),
  usage: z
    .object({
      input_tokens: z.number().default(0),
      output_tokens: z.number().default(0),
      cache_read_input_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
    })
    .optional(),
  modelUsage: usageByModel.optional(),
  model_usage_since_last_result: usageByModel.optional(),
})

export type ClaudeResult = z.output<typeof result>

const init = z.object({
  ...line,
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  model: z.string(),
  tools: z.array(z.string()).default([]),
  claude_code_version: z.string().default(''),
  apiKeySource: z.string().nullish(),
  user_message_uuids: z.array(z.string()).optional(),
})

const task = {
  ...line,
  type: z.literal('system'),
  task_id: z.string(),
  run_id: z.string().optional(),
  tool_use_id: z.string().nullish(),
}

const taskStarted = z.object({
  ...task,
  subtype: z.literal('task_started'),
  description: z.string().default(''),
  is_backgrounded: z.boolean().optional(),
})

export type ClaudeTaskStarted = z.output<typeof taskStarted>

const taskEnded = z.object({
  ...task,
  subtype: z.literal('task_notification'),
  status: z.string(),
  summary: z.string().default(''),
})

export type ClaudeTaskEnded = z.output<typeof taskEnded>

const backgroundTasks = z.object({
  ...line,
  type: z.literal('system'),
  subtype: z.literal('background_tasks_changed'),
  tasks: z.array(z.looseObject({ task_id: z.string() })),
})

const compacted = z.object({
  ...line,
  type: z.literal('system'),
  subtype: z.literal('compact_boundary'),
  compact_metadata: z.object({ trigger: z.string(), pre_tokens: z.number().nullish() }),
})

const lifecycle = z.object({
  type: z.literal('command_lifecycle'),
  command_uuid: z.string(),
  state: z.string(),
})

const controlRequest = z.object({
  type: z.literal('control_request'),
  request_id: z.string(),
  request: z.looseObject({ subtype: z.string() }),
})

const permission = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  tool_use_id: z.string().nullish(),
  /** The task of the sub-agent that asks. */
  agent_id: z.string().nullish(),
  input: z.json(),
})

const controlResponse = z.object({
  type: z.literal('control_response'),
  response: z.looseObject({ request_id: z.string(), subtype: z.string() }),
})

const controlCancel = z.object({
  type: z.literal('control_cancel_request'),
  request_id: z.string(),
})

const authStatus = z.object({
  ...line,
  type: z.literal('auth_status'),
  error: z.string().nullish(),
})

/** A call to the provider failed, and the CLI makes it again. */
const retried = z.object({
  ...line,
  type: z.literal('system'),
  subtype: z.literal('api_retry'),
  attempt: z.number(),
  error_status: z.number().nullish(),
  error: z.string().nullish(),
})

const LINES = {
  assistant,
  user,
  result,
  'system/init': init,
  'system/task_started': taskStarted,
  'system/task_notification': taskEnded,
  'system/background_tasks_changed': backgroundTasks,
  'system/compact_boundary': compacted,
  'system/api_retry': retried,
  command_lifecycle: lifecycle,
  control_request: controlRequest,
  control_response: controlResponse,
  control_cancel_request: controlCancel,
  auth_status: authStatus,
}

export type ClaudeLine = z.output<(typeof LINES)[keyof typeof LINES]>

const SCHEMAS: ReadonlyMap<string, z.ZodType<ClaudeLine>> = new Map(Object.entries(LINES))

export interface LineFault {
  readonly fault: 'no_json' | 'bad_line'
  readonly detail: string
}

/** Reads a line of Claude Code's `stream-json`; undefined for one of a type that means nothing here. */
export function readLine(text: string): ClaudeLine | LineFault | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { fault: 'no_json', detail: startOf(text, 200) }
  }
  const schema = SCHEMAS.get(kindOf(given))
  if (!schema) return undefined
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const detail = `${kindOf(given)}: ${issue?.path.join('.')} ${issue?.message}`
  return { fault: 'bad_line', detail }
}

/** Reads a request for permission; undefined for a request of another kind. */
export function permissionIn(request: unknown): z.output<typeof permission> | undefined {
  return permission.safeParse(request).data
}

function kindOf(given: unknown): string {
  if (typeof given !== 'object' || given === null || !('type' in given)) return ''
  const { type } = given
  if (type !== 'system') return String(type)
  return `system/${'subtype' in given ? String(given.subtype) : ''}`
}
