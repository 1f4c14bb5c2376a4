import type { Message, RunAgentInput } from '@ag-ui/core'
import { isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { PermissionAnswer } from './session-event.ts'

/** The prompt of a program: the newest messages, and earlier ones that it has not had. */
export function promptText({ messages }: RunAgentInput, memory: 'has heard' | 'is new'): string {
  const heard = messages.findLastIndex(({ role }) => role !== 'user')
  const asked = messages.slice(heard + 1).map(textOf)
  const newest = asked.length > 0 ? asked.join('\n\n') : 'Go on.'
  if (memory === 'has heard' || heard < 0) return newest
  const before = messages.slice(0, heard + 1).flatMap((message) => {
    const text = textOf(message)
    return text === '' ? [] : [`[${message.role}]: ${text}`]
  })
  return `The conversation so far:\n${before.join('\n')}\n\nNow:\n${newest}`
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : ''
}

/** A person's answer to a request for permission. Only a plain yes lets a tool run. */
export function permissionAnswer(payload: unknown, input: Json): PermissionAnswer {
  // Read from the log.
  const given = payload as Json | undefined
  const { approved, reason } = isJsonObject(given) ? given : {}
  if (approved === true || approved === 'true' || approved === 'yes') {
    return { behavior: 'allow', input }
  }
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return { behavior: 'deny', message: `A person did not agree to this call${why}` }
}
