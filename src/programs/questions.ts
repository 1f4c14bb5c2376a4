import type { Interrupt } from '@ag-ui/core'
import type { ProgramQuestion } from '../agents/index.ts'
import { isObjectMember } from '../domain/index.ts'
import { isJsonArray, membersOf, ownMember, startOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { Calls } from './calls.ts'
import { requireId } from './ids.ts'
import { REMOTE_MESSAGE_CHARS_MAX, REMOTE_QUESTIONS_MAX } from './limits.ts'
import { streamRefused } from './program-error.ts'
import type { ProgramError } from './program-error.ts'

/** The name of the value where a program asks for one without saying which. */
const ANSWER = 'answer'

/** Makes questions of ours of the interrupts of a program. */
export function questionsOf(
  interrupts: readonly Interrupt[],
  calls: Calls,
): readonly ProgramQuestion[] {
  if (interrupts.length > REMOTE_QUESTIONS_MAX) throw tooMany('questions', interrupts.length)
  const taken = new Set<string>()
  return interrupts.map((interrupt) => {
    const { id, toolCallId, message = '', reason } = interrupt
    const about = toolCallId === undefined ? undefined : calls.askedAbout(toolCallId)
    const isFree = about !== undefined && !taken.has(about.id)
    const words = startOf(message, REMOTE_MESSAGE_CHARS_MAX) || startOf(reason, 200)
    const call = isFree ? about : calls.ask(id, { message: words })
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
  const lost = names.find(isObjectMember)
  if (lost !== undefined) {
    const why = 'no answer can have it, since every object has a member of that name'
    throw streamRefused('malformed', `it asks for "${lost}": ${why}`)
  }
  return Object.fromEntries(
    names.map((name) => {
      const value = ownMember(described, name) ?? null
      const title = textOf(value, 'description') || textOf(value, 'title')
      return [requireId(name), startOf(title, REMOTE_MESSAGE_CHARS_MAX) || words]
    }),
  )
}

function tooMany(what: string, count: number): ProgramError {
  const why = `it asks for ${count} ${what} at once, at most ${REMOTE_QUESTIONS_MAX} are allowed`
  return streamRefused('too_many', why)
}
