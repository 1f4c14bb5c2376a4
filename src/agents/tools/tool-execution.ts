import type { StandardSchemaV1 } from '@standard-schema/spec'
import { askPerson } from './ask-person.ts'
import { Pause, TOOL_CALL_MAX_MS, TOOL_OUTPUTS_MAX, TOOL_OUTPUT_CHARS_MAX } from '../define/tool.ts'
import { LinkedSignal, isTimeUp, promptOf, whileOpen } from '../../models/index.ts'
import type {
  ApprovalOptions,
  RequestKeysOf,
  Tool,
  ToolContext,
  ToolProposal,
} from '../define/tool.ts'
import type { ModelToolCall } from '../../models/index.ts'
import { agentEvent } from '../../activity/index.ts'
import { faultOf } from '../../log/index.ts'
import type { NewEvent } from '../../log/index.ts'
import { isThrown, thrownMessage } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { Answered, RunScope } from '../scope/scope.ts'
import { modelHistory, subagentMark } from '../../step/index.ts'
import type { Snapshot } from '../../thread/index.ts'
import { messagesBefore, messagesOf } from '../scope/run-messages.ts'
import { ToolProposals } from './tool-proposals.ts'
import { contentOf, failedResult, shortened } from '../scope/tool-result.ts'
import type { ToolResult } from '../scope/tool-result.ts'
import { valueJson } from '../define/value-json.ts'

export interface ToolExecution<State> {
  readonly scope: RunScope<State>
  readonly call: ModelToolCall
  readonly tool: Tool
  readonly input: unknown
  /** The answers, when the call stopped to ask. */
  readonly values?: Answered
}

/**
 * Runs a tool of the user's. An error becomes a result for the model; only a record that
 * cannot be appended, or a run that is stopped, is an error.
 */
export async function executeTool<State>(
  execution: ToolExecution<State>,
): Promise<ToolResult | Pause> {
  const { scope, tool, input, call } = execution
  const snapshot = await scope.turn.gate.latest(scope.turn.thread)
  const limit = new LinkedSignal(scope.signal, TOOL_CALL_MAX_MS)
  const { signal } = limit
  const outputs = new Outputs(execution)
  const proposals = new ToolProposals(scope, call, signal)
  try {
    const context = contextOf(execution, { outputs, proposals, signal, snapshot })
    // A tool that ignores the signal is left alone.
    const given = await whileOpen(limit, async () => {
      const result = tool.execute?.(input, context)
      return isAsyncIterable(result) ? outputs.drain(result) : await result
    })
    return given instanceof Pause ? given : contentOf(given)
  } catch (error) {
    scope.signal.throwIfAborted()
    if (isThrown(error, Pause)) return error
    if (!isTimeUp(signal)) return failedResult('tool_failed', thrownMessage(error))
    const why = `it took longer than ${TOOL_CALL_MAX_MS} ms`
    return failedResult('timeout', `Cannot finish "${call.name}": ${why}`)
  } finally {
    limit.release()
    await Promise.all([outputs.close(), proposals.close()])
  }
}

/** Whether a person must agree first, or the failure of the function that was asked. */
export async function approvalNeeded<State>({
  scope,
  call,
  tool: { needsApproval = false },
  input,
}: ToolExecution<State>): Promise<boolean | ToolResult> {
  if (typeof needsApproval === 'boolean') return needsApproval
  const isNeeded = typeof needsApproval === 'object' ? needsApproval.if : needsApproval
  if (!isNeeded) return true
  const snapshot = await scope.turn.gate.latest(scope.turn.thread)
  try {
    // A program without types may answer anything: only a plain no lets the call through.
    return (await isNeeded(input, sdkOptionsOf(scope, call, snapshot))) !== false
  } catch (error) {
    return failedResult('tool_failed', thrownMessage(error))
  }
}

interface Running<State> {
  readonly outputs: Outputs<State>
  readonly proposals: ToolProposals<State>
  readonly signal: AbortSignal
  readonly snapshot: Snapshot<State>
}

function contextOf<State>(
  { scope, call, values }: ToolExecution<State>,
  { outputs, proposals, signal, snapshot }: Running<State>,
): ToolContext<State> {
  const { run, depth } = scope.origin
  const approvedBy = scope.turn.approvedBy.get(call.id)
  return Object.assign(sdkOptionsOf(scope, call, snapshot), {
    abortSignal: signal,
    thread: scope.turn.thread,
    run,
    agent: scope.agent.name,
    depth,
    state: snapshot.state,
    signal,
    ...(approvedBy && { approvedBy }),
    ...(values ? { values } : {}),
    progress: (value: unknown) => outputs.put(value),
    propose: (events: readonly ToolProposal[]) => proposals.propose(events),
    pause: (requestKeys: Readonly<Record<string, string>>) => new Pause(requestKeys),
    ask: <Schema extends StandardSchemaV1>(schema: Schema, words: RequestKeysOf<Schema>) =>
      askPerson(values, schema, words),
  })
}

function sdkOptionsOf<State>(
  scope: RunScope<State>,
  call: ModelToolCall,
  snapshot: Snapshot<State>,
): ApprovalOptions {
  const tools = scope.turn.offersOf(scope.agent, scope.origin.depth).names
  return {
    toolCallId: call.id,
    // Few tools read it, and a history may be long.
    get messages() {
      const before = messagesBefore(messagesOf(scope, snapshot), call.id)
      return promptOf('', modelHistory(before, { tools }))
    },
    ...scope.turn.caller,
  }
}

class Outputs<State> {
  readonly #execution: ToolExecution<State>
  #appends: Promise<unknown> = Promise.resolve()
  #count = 0
  #closed = false

  constructor(execution: ToolExecution<State>) {
    this.#execution = execution
  }

  put(value: unknown): void {
    if (this.#closed || ++this.#count > TOOL_OUTPUTS_MAX) return
    const event = this.#event(bounded(value))
    this.#appends = this.#appends.then(() => this.#execution.scope.turn.append([event]))
    // A failure rejects `close`.
    this.#appends.catch(() => undefined)
  }

  /** Shows each value as it comes; the result is the returned value, or else the last one. */
  async drain(values: AsyncIterable<unknown>): Promise<unknown> {
    const iterator = values[Symbol.asyncIterator]()
    let last: unknown
    while (!this.#closed) {
      const { done, value } = await iterator.next()
      if (done) return value ?? last
      last = value
      if (value instanceof Pause) break
      this.put(value)
      await this.#appends
    }
    await iterator.return?.()
    return last
  }

  /** A tool that goes on after its run was stopped, or after it has answered, is ignored. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#appends
  }

  /** The output, or its text where no log can hold it. */
  #event(output: Json): NewEvent {
    const { scope, call } = this.#execution
    const event = agentEvent(
      'ACTIVITY_SNAPSHOT',
      {
        messageId: `${call.id}_output`,
        activityType: 'throughline.tool_output',
        content: { toolCallId: call.id, output },
        ...subagentMark(scope.origin),
      },
      scope.origin,
    )
    const isText = typeof output === 'string'
    return isText || !faultOf(event) ? event : this.#event(JSON.stringify(output))
  }
}

function bounded(value: unknown): Json {
  const text = valueJson(value) ?? 'null'
  return text.length <= TOOL_OUTPUT_CHARS_MAX
    ? // JSON.parse gives JSON.
      (JSON.parse(text) as Json)
    : shortened(typeof value === 'string' ? value : text, TOOL_OUTPUT_CHARS_MAX)
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
