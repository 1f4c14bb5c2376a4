import type { ConversationMessage } from '../activity/index.ts'
import type { NewEvent } from '../log/index.ts'
import { tagOf } from '../step/index.ts'
import type { RunScope } from './scope.ts'
import { failedResult, resultRecord } from './tool-result.ts'

/** Results for the calls of a run that was stopped: the model learns that they may have done something. */
export function unansweredCalls<State>(
  { origin, resumes, turn }: Pick<RunScope<State>, 'origin' | 'resumes' | 'turn'>,
  messages: readonly ConversationMessage[],
  code: string,
): readonly NewEvent[] {
  const answered = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.call] : [])))
  const content = 'The run was stopped before this call was answered'
  return messages.flatMap(({ role, id: toolCallId, run }) => {
    const ours = run === origin.run || resumes.includes(toolCallId)
    if (role !== 'call' || !ours || answered.has(toolCallId)) return []
    const call = { messageId: turn.id(), toolCallId, ...tagOf(origin) }
    return [resultRecord(call, failedResult(code, content), origin)]
  })
}
