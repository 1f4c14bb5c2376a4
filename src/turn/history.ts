import type { ConversationMessage } from '../agui/index.ts'
import type { ModelMessage } from '../agents/index.ts'

/** The most messages that a model call is given, newest kept. */
export const HISTORY_MESSAGES_MAX = 80
/** The most text that a model call is given, in characters, newest kept. */
export const HISTORY_CHARS_MAX = 80_000

const OPENING = '[The conversation starts here.]'
const CONTINUE = '[Continue.]'

/**
 * Makes a history that every provider accepts out of any conversation: no blank message, roles that
 * alternate, a person's side first and last. Pure and total.
 */
export function modelHistory(messages: readonly ConversationMessage[]): readonly ModelMessage[] {
  const history: ModelMessage[] = []
  for (const message of newest(messages)) {
    const text = spoken(message)
    if (text === '') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = history.at(-1)
    if (last?.role === role) history[history.length - 1] = { role, text: `${last.text}\n\n${text}` }
    else history.push({ role, text })
  }
  if (history[0]?.role !== 'user') history.unshift({ role: 'user', text: OPENING })
  if (history.at(-1)?.role !== 'user') history.push({ role: 'user', text: CONTINUE })
  return history
}

/** Takes the meaning out of any tag in text that did not come from the model. */
export function neutralise(text: string): string {
  return text.replace(/<(?=\/?agent-event)/gi, '‹')
}

function spoken(message: ConversationMessage): string {
  const text = message.text.trim()
  if (message.role === 'assistant') return text
  // Only notes speak in brackets; what a person types must not pass for one.
  return neutralise(message.role === 'user' ? text.replaceAll(/^(\s*)\[/gm, '$1(') : text)
}

function newest(messages: readonly ConversationMessage[]): readonly ConversationMessage[] {
  let room = HISTORY_CHARS_MAX
  const recent = messages.slice(-HISTORY_MESSAGES_MAX)
  const from = recent.findLastIndex((message) => (room -= message.text.length) < 0)
  return recent.slice(from + 1)
}
