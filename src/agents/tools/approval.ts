import type { ApprovalText } from '../../activity/index.ts'
import { kindOf, thrownMessage } from '../../json/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import type { Answered } from '../scope/scope.ts'
import type { Tool } from '../define/tool.ts'
import { failedResult } from '../scope/tool-result.ts'
import type { ToolResult } from '../scope/tool-result.ts'

/** Facts and reasons of one approval. */
export const APPROVAL_LINES_MAX = 20
/** Characters of each text of an approval. */
export const APPROVAL_TEXT_CHARS_MAX = 500

export function approvalOf(
  call: ModelToolCall,
  { approval }: Tool,
  input: unknown,
): ApprovalText | ToolResult | undefined {
  if (!approval) return undefined
  try {
    const text = approval(input)
    const why = isText(text)
      ? whyNoApprovalText(text)
      : `its \`approval\` returned ${kindOf(text)}; return { question }`
    if (why === undefined) return text
    return failedResult('tool_failed', `Cannot ask for approval of "${call.name}": ${why}`)
  } catch (error) {
    return failedResult('tool_failed', thrownMessage(error))
  }
}

/** The result of a call that other roles decide, for its model. */
export function pendingResult({ name }: ModelToolCall, by: readonly string[]): ToolResult {
  const whose = by.map((role) => `"${role}"`).join(' or ')
  const content =
    `Not run yet: a person in the role ${whose} decides about "${name}". Do not call it again. ` +
    'Say that it waits; you are told the outcome once they have decided.'
  return { content, pending: by }
}

/** The result of a call that a person did not agree to. */
export function denialOf(answer: Answered): ToolResult {
  const reason = typeof answer['reason'] === 'string' ? `: ${answer['reason']}` : ''
  return failedResult('denied', `A person did not agree to this call${reason}`)
}

/** Leaves the person's permission out of the answer: the tool did not ask for it. */
export function valuesFor(
  { needsApproval = false }: Tool,
  answer: Answered | undefined,
): Answered | undefined {
  if (!answer || needsApproval === false) return answer
  const values = Object.entries(answer).filter(([key]) => !['approved', 'reason'].includes(key))
  return values.length > 0 ? Object.fromEntries(values) : undefined
}

function isText(text: unknown): boolean {
  return typeof text === 'object' && text !== null && !(text instanceof Promise)
}

/** Says why a text cannot be shown; `undefined` when it can. A program without types may give anything. */
function whyNoApprovalText({
  question,
  accept = '-',
  note = '-',
  facts = [],
  reasons = [],
}: ApprovalText): string | undefined {
  if (facts.length > APPROVAL_LINES_MAX || reasons.length > APPROVAL_LINES_MAX) {
    return `at most ${APPROVAL_LINES_MAX} facts and ${APPROVAL_LINES_MAX} reasons are shown`
  }
  const lines = facts.flatMap(({ label, value }) => [label, value])
  const texts: readonly unknown[] = [question, accept, note, ...lines, ...reasons]
  return texts.every(isShown)
    ? undefined
    : `each text of it needs 1 to ${APPROVAL_TEXT_CHARS_MAX} characters`
}

function isShown(text: unknown): boolean {
  return typeof text === 'string' && text.length > 0 && text.length <= APPROVAL_TEXT_CHARS_MAX
}
