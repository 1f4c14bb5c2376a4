import type { NewEvent, Origin } from '../log/index.ts'
import { agentEvent, customEvent } from './index.ts'

/** Who takes part in a thread: an agent on a surface, or one without. */
export type Who = Pick<Origin, 'surface'> & { readonly agent: string }

export const topOrigin = (who: Who, run: string, turn = run): Origin => ({
  source: 'system',
  depth: 0,
  path: [who.agent],
  ...who,
  run,
  turn,
})

/** The origin of a sub-agent's run. */
export const belowOrigin = (parent: Origin, run: string, call: string): Origin => ({
  ...parent,
  depth: parent.depth + 1,
  agent: 'clerk',
  path: [...(parent.path ?? []), 'clerk'],
  run,
  parentRun: parent.run ?? '',
  call,
})

export const runStarted = (origin: Origin, answers?: readonly string[]): NewEvent => {
  const { run: runId = '' } = origin
  const resume = answers?.map((interruptId) => ({ interruptId, status: 'resolved' as const }))
  const input = { threadId: 't', runId, messages: [], tools: [], context: [] }
  const more = resume ? { input: { ...input, resume } } : {}
  return agentEvent('RUN_STARTED', { threadId: 't', runId, ...more }, origin)
}

export const runFailed = (origin: Origin): NewEvent =>
  agentEvent('RUN_ERROR', { message: 'x', code: 'provider' }, origin)

/** Ends a run: well, cancelled, or with the questions that it asks. */
export const runFinished = (
  origin: Origin,
  how: 'success' | 'cancelled' | readonly string[],
): NewEvent => {
  const { run: runId = '' } = origin
  const outcome =
    typeof how === 'string'
      ? { type: how }
      : {
          type: 'interrupt' as const,
          interrupts: how.map((id) => ({ id, reason: 'input_required' })),
        }
  return agentEvent('RUN_FINISHED', { threadId: 't', runId, outcome }, origin)
}

export const asks = (origin: Origin, id: string, toolCallId: string): NewEvent =>
  customEvent('wait_for_input', { id, toolCallId, reason: 'input_required' }, origin)

export const subagentStarted = (origin: Origin): NewEvent =>
  agentEvent('SUBAGENT_STARTED', { subagentRunId: origin.run ?? '', name: 'clerk' }, origin)

export const subagentSuspended = (origin: Origin): NewEvent =>
  agentEvent(
    'SUBAGENT_FINISHED',
    {
      subagentRunId: origin.run ?? '',
      outcome: { type: 'suspended', interruptIds: [] },
      metadata: { throughline: { parentToolCallId: origin.call ?? '' } },
    },
    origin,
  )

export const says = (origin: Origin, messageId: string, delta: string): readonly NewEvent[] => {
  const role = origin.source === 'ui' ? 'user' : 'assistant'
  return [
    agentEvent('TEXT_MESSAGE_START', { messageId, role }, origin),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin),
    agentEvent('TEXT_MESSAGE_END', { messageId }, origin),
  ]
}

export const calls = (origin: Origin, toolCallId: string): readonly NewEvent[] => [
  agentEvent('TOOL_CALL_START', { toolCallId, toolCallName: 'work' }, origin),
  agentEvent('TOOL_CALL_END', { toolCallId }, origin),
  customEvent('model_output', { toolCalls: [toolCallId], finishReason: 'tool-calls' }, origin),
]

export const answers = (origin: Origin, toolCallId: string): NewEvent =>
  agentEvent(
    'TOOL_CALL_RESULT',
    { messageId: `result of ${toolCallId}`, toolCallId, content: 'ok', role: 'tool' },
    origin,
  )
