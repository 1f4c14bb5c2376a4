import type { Interrupt } from '@ag-ui/core'
import { WHOLE_ANSWER } from '../agents/index.ts'
import type { ProgramQuestion } from '../agents/index.ts'
import { isObjectMember } from '../domain/index.ts'
import { isJsonArray, membersOf, ownMember, startOf, textOf } from '../json/index.ts'
import type { Json, JsonObject } from '../json/index.ts'
import type { Calls } from './calls.ts'
import { requireId } from './ids.ts'
import { REMOTE_MESSAGE_CHARS_MAX, REMOTE_QUESTIONS_MAX, REMOTE_VALUE_CHARS_MAX } from './limits.ts'
import { isRecordable } from './recordable.ts'
import { streamRefused } from './program-error.ts'
import type { ProgramError } from './program-error.ts'

/** Makes questions of ours of the interrupts of a program. */
export function questionsOf(
  interrupts: readonly Interrupt[],
  calls: Calls,
  { asIs }: { readonly asIs: boolean },
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
    const own = asIs ? ownMembers(interrupt) : undefined
    return {
      questionId: requireId(id),
      call,
      isAnsweredByResult: !isFree,
      reason: isApproval ? 'tool_approval' : 'input_required',
      requestKeys: isApproval ? { approved: words } : keysFor(own, schema, words),
      ...(own && { interrupt: own }),
    }
  })
}

/** A page answers under our id of the question, and knows the call by our id. */
function ownMembers({
  id: _id,
  toolCallId: _call,
  subagentRunId: _run,
  ...own
}: Interrupt): JsonObject {
  // The schema has read it, and the log takes JSON alone.
  const members = own as JsonObject
  if (isRecordable(members)) return members
  const why = `a question has more than ${REMOTE_VALUE_CHARS_MAX} characters, or what no record holds`
  throw streamRefused('too_large', why)
}

function asksForPermission(schema: Json): boolean {
  const approved = membersOf(membersOf(schema)['properties'] ?? null)['approved'] ?? null
  return textOf(approved, 'type') === 'boolean'
}

function keysFor(own: JsonObject | undefined, schema: Json, words: string) {
  return own ? { [WHOLE_ANSWER]: words } : keysOf(schema, words)
}

function keysOf(schema: Json, words: string): Readonly<Record<string, string>> {
  const { required = null, properties = null } = membersOf(schema)
  const described = membersOf(properties)
  const asked = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : []
  const names = asked.length > 0 ? asked : Object.keys(described)
  if (names.length > REMOTE_QUESTIONS_MAX) throw tooMany('values', names.length)
  if (names.length === 0) return { [WHOLE_ANSWER]: words }
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
