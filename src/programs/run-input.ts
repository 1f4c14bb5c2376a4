import { PROTOCOL_VERSION } from '@ag-ui/core'
import type {
  AssistantMessage,
  Message,
  ResumeEntry,
  RunAgentInput,
  Tool,
  UserMessage,
} from '@ag-ui/core'
import type { ConversationMessage, InputFile } from '../activity/index.ts'
import type { ProgramAnswer, ProgramStepRequest, SystemMessage } from '../agents/index.ts'
import { lateText, readsFile, unreadFile } from '../step/index.ts'
import { QUESTION } from './calls.ts'
import { programsId } from './ids.ts'

interface InputOptions extends Pick<
  RunAgentInput,
  'threadId' | 'runId' | 'state' | 'forwardedProps'
> {
  /** The client's instructions. */
  readonly systemMessages: readonly SystemMessage[]
  /** The media types of files that the program reads. */
  readonly files: readonly string[]
}

/** The request to a program: the conversation as it knows it, the tools that run here, and our answers. */
export function runInput(
  request: ProgramStepRequest,
  { systemMessages, files, ...run }: InputOptions,
): RunAgentInput {
  const { instructions, tools, answers } = request
  const own =
    instructions.trim() === '' ? [] : [{ description: 'Instructions', value: instructions }]
  const context = [...own, ...request.context]
  return {
    ...run,
    protocolVersion: PROTOCOL_VERSION,
    messages: [...systemMessages, ...wireMessages(newestOf(request), files)],
    tools: tools.map(({ name, description = '', inputSchema }): Tool => ({
      name,
      description,
      parameters: inputSchema,
    })),
    context,
    ...(answers.length > 0 && { resume: answers.map(resumeEntry) }),
  }
}

/** The newest messages that fit, beginning with one that is not the agent's. */
function newestOf({ messages, historyChars }: ProgramStepRequest): readonly ConversationMessage[] {
  let chars = 0
  let from = messages.length
  while (from > 0 && (chars += messages[from - 1]?.text.length ?? 0) <= historyChars) from--
  if (from === 0) return messages
  const heard = messages.findIndex(
    ({ role }, at) => at >= from && (role === 'user' || role === 'note'),
  )
  // The newest message is given, however long it is.
  return messages.slice(heard < 0 ? Math.min(from, messages.length - 1) : heard)
}

/** A conversation as AG-UI's messages, under the program's own ids where it gave them. */
function wireMessages(
  messages: readonly ConversationMessage[],
  readFiles: readonly string[],
): readonly Message[] {
  const asked = new Set(
    messages.flatMap((each) => (each.role === 'call' && each.name === QUESTION ? [each.id] : [])),
  )
  const list: Message[] = []
  const idOf = outgoingIds(messages)
  const options = { idOf, readFiles }
  /** The message that the calls which follow it belong to. */
  let carrier: AssistantMessage | undefined
  for (const message of messages) {
    if (message.failed) continue
    if (message.role === 'call') {
      if (!asked.has(message.id)) carrier = withCall(list, message, { carrier, idOf })
      continue
    }
    if (message.role === 'tool' && asked.has(message.call)) continue
    const wire = wireMessage(message, options)
    list.push(wire)
    carrier = wire.role === 'assistant' ? wire : undefined
  }
  return list
}

type IdOf = (id: string) => string

/**
 * Messages of one list have ids of their own, also where a program gave one id twice: one that is on record under
 * it keeps it, otherwise the newest.
 */
function outgoingIds(messages: readonly ConversationMessage[]): IdOf {
  const ids = new Map<string, string>()
  const kept = messages.flatMap(({ id }) => (programsId(id) === id ? [id] : []))
  const taken = new Set<string>(kept)
  for (const { id } of messages.toReversed()) {
    if (programsId(id) === id) continue
    const own = programsId(id)
    ids.set(id, taken.has(own) ? id : own)
    taken.add(own)
  }
  return (id) => ids.get(id) ?? programsId(id)
}

type Spoken = Exclude<ConversationMessage, { readonly role: 'call' }>

interface MessageOptions {
  readonly idOf: IdOf
  readonly readFiles: readonly string[]
}

function wireMessage(message: Spoken, { idOf, readFiles }: MessageOptions): Message {
  const { text } = message
  const id = idOf(message.id)
  switch (message.role) {
    case 'user': {
      return { id, role: 'user', content: contentOf(message, readFiles) }
    }
    case 'note':
      return { id, role: 'user', content: text }
    case 'assistant':
      return { id, role: 'assistant', content: text }
    case 'reasoning': {
      const { encrypted } = message
      const signed = encrypted === undefined ? {} : { encryptedValue: encrypted }
      return { id, role: 'reasoning', content: text, ...signed }
    }
    case 'tool': {
      // Its call was answered before: the providers of programs refuse a second result.
      if (message.late) return { id, role: 'user', content: lateText(message.late, message) }
      const error = message.outcome === 'failed' ? { error: text } : {}
      return { id, role: 'tool', toolCallId: idOf(message.call), content: text, ...error }
    }
  }
}

function contentOf(
  { text, files = [] }: Spoken & { readonly files?: readonly InputFile[] },
  readFiles: readonly string[],
): UserMessage['content'] {
  const read = files.filter((file) => readsFile(readFiles, file))
  const unread = files.filter((file) => !read.includes(file)).map(unreadFile)
  const words = [text, ...unread].join('\n\n')
  if (read.length === 0) return words
  return [...(words === '' ? [] : [{ type: 'text' as const, text: words }]), ...read]
}

/** Adds a call to the message before it, or to one without text that the stock client would make too. */
function withCall(
  list: Message[],
  { id: ours, name, text, encrypted, parent }: ConversationMessage & { readonly role: 'call' },
  { carrier, idOf }: { readonly carrier: AssistantMessage | undefined; readonly idOf: IdOf },
): AssistantMessage {
  const id = idOf(ours)
  const call = {
    id,
    type: 'function' as const,
    function: { name, arguments: text },
    ...(encrypted === undefined ? {} : { encryptedValue: encrypted }),
  }
  const named = parent === undefined ? undefined : idOf(parent)
  const held = named === undefined ? carrier : assistantIn(list, named)
  const toolCalls = [...(held?.toolCalls ?? []), call]
  const message: AssistantMessage = held
    ? { ...held, toolCalls }
    : { id: named ?? `${id}_message`, role: 'assistant', toolCalls }
  if (held) list[list.indexOf(held)] = message
  else list.push(message)
  return message
}

function assistantIn(list: readonly Message[], id: string): AssistantMessage | undefined {
  const message = list.findLast((each) => each.id === id)
  return message?.role === 'assistant' ? message : undefined
}

function resumeEntry({ questionId: interruptId, ...answer }: ProgramAnswer): ResumeEntry {
  return { interruptId, ...answer }
}
