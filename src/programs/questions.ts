import type { Interrupt } from '@ag-ui/core'
import type { ProgramQuestion } from '../agents/index.ts'
import { isObjectMember } from '../domain/index.ts'
import { isJsonArray, membersOf, startOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { ModelToolCall } from '../models/index.ts'
import { requireId } from './ids.ts'
import { REMOTE_MESSAGE_CHARS_MAX, REMOTE_QUESTIONS_MAX } from './limits.ts'
import { ProgramError } from './program-error.ts'

/** The name of the call under which a question waits that is about no call. No tool can have it. */
export const QUESTION = 'remote.question'

/** The name of the value where a program asks for one without saying which. */
const ANSWER = 'answer'

export interface QuestionParts {
  /** The call that an interrupt names, if the program made it and waits for permission. */
  readonly callOf: (toolCallId: string) => ModelToolCall | undefined
  /** Records a question as a call. */
  readonly ask: (questionId: string, input: Json) => ModelToolCall
}

/**
 * The interrupts of a program as questions of ours.
 *
 * @throws {@link ProgramError} `too_many`, `malformed`
 */
export function questionsOf(
  interrupts: readonly Interrupt[],
  { callOf, ask }: QuestionParts,
): readonly ProgramQuestion[] {
  if (interrupts.length > REMOTE_QUESTIONS_MAX) throw tooMany('questions', interrupts.length)
  const taken = new Set<string>()
  return interrupts.map((interrupt) => {
    const { id, toolCallId, message = '', reason } = interrupt
    const about = toolCallId === undefined ? undefined : callOf(toolCallId)
    const isFree = about !== undefined && !taken.has(about.id)
    const words = startOf(message, REMOTE_MESSAGE_CHARS_MAX) || startOf(reason, 200)
    const call = isFree ? about : ask(requireId(id), { message: words })
    taken.add(call.id)
    // The schema has read it: an object of JSON.
    const schema = (interrupt.responseSchema ?? null) as Json
    const isApproval = isFree && asksForPermission(schema)
    return {
      questionId: requireId(id),
      call,
      isAnsweredByResult: !isFree,
      reason: isApproval ? 'tool_approval' : 'input_required',
      requestKeys: isApproval ? { approved: words } : keysOf(schema, words),
    }
  })
}

function asksForPermission(schema: Json): boolean {
  const approved = membersOf(membersOf(schema)['properties'] ?? null)['approved'] ?? null
  return textOf(approved, 'type') === 'boolean'
}

function keysOf(schema: Json, words: string): Readonly<Record<string, string>> {
  const { required = null, properties = null } = membersOf(schema)
  const described = membersOf(properties)
  const asked = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : []
  const names = asked.length > 0 ? asked : Object.keys(described)
  if (names.length > REMOTE_QUESTIONS_MAX) throw tooMany('values', names.length)
  if (names.length === 0) return { [ANSWER]: words }
  const lost = names.find((name) => isObjectMember(name))
  if (lost !== undefined) throw unanswerable(lost)
  return Object.fromEntries(
    names.map((name) => {
      const value = Object.hasOwn(described, name) ? described[name] : null
      const title = textOf(value ?? null, 'description') || textOf(value ?? null, 'title')
      return [requireId(name), startOf(title, REMOTE_MESSAGE_CHARS_MAX) || words]
    }),
  )
}

function unanswerable(name: string): ProgramError {
  const why = 'no answer can have it, since every object has a member of that name'
  return new ProgramError('malformed', `Cannot take the stream: it asks for "${name}": ${why}`)
}

function tooMany(what: string, count: number): ProgramError {
  const why = `it asks for ${count} ${what} at once, at most ${REMOTE_QUESTIONS_MAX} are allowed`
  return new ProgramError('too_many', `Cannot take the stream: ${why}`)
}
