import type { Json } from 'throughline'
import type { SessionEvent, ToolResult } from 'throughline/server/extend'

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 }

/** A whole message of the lead, or of the sub-agent that `parent` started. */
export function said(text: string, parent: string | null = null): SessionEvent {
  return {
    type: 'message',
    message: 'msg_1',
    parent,
    isAborted: false,
    model: 'm',
    blocks: [{ type: 'text', text }],
  }
}

export function called(name: string, input: Json, call = 'toolu_1'): readonly SessionEvent[] {
  const block = { type: 'tool_use', id: call, name, input } as const
  return [
    {
      type: 'message',
      message: 'msg_2',
      parent: null,
      isAborted: false,
      model: 'm',
      blocks: [block],
    },
  ]
}

export function gave(toolName: string, input: Json, more: Partial<ToolResult> = {}): SessionEvent {
  const said = { call: 'toolu_1', content: 'ok', isError: false, parent: null }
  return { type: 'tool_result', toolName, input, ...said, ...more }
}

export function ended(
  prompts: readonly string[],
  changes: Partial<Extract<SessionEvent, { type: 'turn_ended' }>> = {},
): SessionEvent {
  return {
    type: 'turn_ended',
    prompts,
    outcome: 'success',
    taskRun: null,
    code: '',
    text: '',
    steps: 1,
    costUsd: 0.01,
    usage: NO_USAGE,
    usageByModel: [],
    ...changes,
  }
}
