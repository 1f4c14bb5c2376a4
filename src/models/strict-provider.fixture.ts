import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

type Message = LanguageModelV4Prompt[number]
type Part = Exclude<Message, { role: 'system' }>['content'][number]

/**
 * Returns the faults of a prompt under the rules of Anthropic's and OpenAI's requests together, each as
 * strict as the stricter of the two.
 */
export function promptFaults(prompt: LanguageModelV4Prompt): readonly string[] {
  const [first] = prompt.filter(({ role }) => role !== 'system')
  const last = prompt.at(-1)
  const ids = prompt.flatMap((message) => callsIn(message).map(({ toolCallId }) => toolCallId))
  return [
    ...(first?.role === 'user' ? [] : [`it begins with ${first?.role ?? 'nothing'}`]),
    ...(last?.role === 'assistant' ? ['it ends with the assistant'] : []),
    ...(new Set(ids).size === ids.length ? [] : [`call ids are used again: ${ids.join()}`]),
    ...(ids.includes('') ? ['a call without an id'] : []),
    ...prompt.flatMap((message, at) =>
      messageFaults(message, { before: prompt[at - 1], after: prompt[at + 1] }).map(
        (fault) => `${at}: ${fault}`,
      ),
    ),
  ]
}

interface Neighbours {
  readonly before: Message | undefined
  readonly after: Message | undefined
}

function messageFaults(message: Message, { before, after }: Neighbours): readonly string[] {
  const { role } = message
  const faults = message.role === 'system' ? [] : message.content.flatMap(partFaults)
  if (message.content.length === 0) faults.push('an empty message')
  if (role === before?.role) faults.push(`two ${role} messages in a row`)
  if (role === 'tool' && before?.role !== 'assistant') faults.push('results without calls')
  const calls = callsIn(message).map(({ toolCallId, toolName }) => `${toolCallId} ${toolName}`)
  const results = role === 'assistant' ? resultsIn(after) : []
  if (calls.join() !== results.join()) faults.push(`${calls.join()} answered by ${results.join()}`)
  return faults
}

function partFaults(part: Part): string[] {
  if (part.type === 'text') {
    const faults = part.text.trim() === '' ? ['a blank text'] : []
    return part.text.isWellFormed() ? faults : [...faults, 'half a character']
  }
  if (part.type !== 'tool-call') return []
  const { input } = part
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? [] : ['the input of a call is no object']
}

function callsIn(message: Message) {
  if (message.role !== 'assistant') return []
  return message.content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
}

function resultsIn(message: Message | undefined): readonly string[] {
  if (message?.role !== 'tool') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' ? [`${part.toolCallId} ${part.toolName}`] : [],
  )
}
