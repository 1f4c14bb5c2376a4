import type { Message, RunAgentInput } from '@ag-ui/core'
import { isJsonObject, startOf, visibleJson, visibleText } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { PROGRAM_SHOWN_CHARS_MAX } from './limits.ts'
import type { PermissionAnswer, PermissionAsked } from './session-event.ts'

/** Characters of a call's input within a question; a longer one is shown with the call alone. */
const ASKED_CHARS_MAX = 1_000
const NAME_CHARS_MAX = 200

/** The prompt of a program: the newest messages, and earlier ones that it has not had. */
export function promptText(
  { messages }: RunAgentInput,
  memory: 'has heard' | 'is new' | 'begins anew',
): string {
  const heard = messages.findLastIndex(({ role }) => role !== 'user')
  const asked = messages.slice(heard + 1).map(textOf)
  const newest = asked.length > 0 ? asked.join('\n\n') : 'Go on.'
  if (memory === 'has heard') return newest
  const note = memory === 'begins anew' ? `${ANEW}\n\n` : ''
  if (heard < 0) return `${note}${newest}`
  const before = messages.slice(0, heard + 1).flatMap((message) => {
    const text = textOf(message)
    return text === '' ? [] : [`[${message.role}]: ${text}`]
  })
  return `${note}The conversation so far:\n${before.join('\n')}\n\nNow:\n${newest}`
}

const ANEW =
  'You begin a new conversation in the place of one that was lost. Earlier messages may have been worked on: look before you do anything again.'

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : ''
}

/** The words that ask for permission, with the whole input of the call or with its size. */
export function permissionQuestion({
  toolName,
  input,
  grants,
}: Pick<PermissionAsked, 'toolName' | 'input' | 'grants'>): string {
  const asked = callQuestion(shownName(toolName), input)
  return grants === undefined ? asked : `${asked} A yes selects "${shownName(grants)}".`
}

function shownName(name: string): string {
  return startOf(visibleText(startOf(name, NAME_CHARS_MAX)), NAME_CHARS_MAX)
}

function callQuestion(name: string, input: Json): string {
  const { length } = JSON.stringify(input)
  if (length > PROGRAM_SHOWN_CHARS_MAX) {
    return `May ${name} run? Its input has ${length} characters, too many to be shown: it can only be refused.`
  }
  const shown = visibleJson(JSON.stringify(input))
  if (shown.length <= ASKED_CHARS_MAX) return `May ${name} run with ${shown}?`
  return `May ${name} run? Its input has ${length} characters: read it in the call.`
}

/** A person's answer to a request for permission. Only a plain yes lets a tool run, and only if its input was shown. */
export function permissionAnswer(payload: unknown, input: Json): PermissionAnswer {
  // Read from the log.
  const given = payload as Json | undefined
  const { approved, reason } = isJsonObject(given) ? given : {}
  if (JSON.stringify(input).length > PROGRAM_SHOWN_CHARS_MAX) {
    const message = 'The input of this call is too long to be shown to a person: make it shorter'
    return { behavior: 'deny', message }
  }
  if (approved === true || approved === 'true' || approved === 'yes') {
    return { behavior: 'allow', input }
  }
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return { behavior: 'deny', message: `A person did not agree to this call${why}` }
}
