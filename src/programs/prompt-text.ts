import type { Message, RunAgentInput } from '@ag-ui/core'

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
