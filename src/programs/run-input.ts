import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { AssistantMessage, Message, ResumeEntry, RunAgentInput, Tool } from '@ag-ui/core'
import type { ConversationMessage } from '../activity/index.ts'
import type { ProgramAnswer, ProgramStepRequest } from '../agents/index.ts'
import type { Json } from '../json/index.ts'
import { programsId } from './ids.ts'
import { QUESTION } from './questions.ts'

export interface RunInputParts {
  readonly request: Pick<
    ProgramStepRequest,
    'messages' | 'tools' | 'answers' | 'instructions' | 'conversation' | 'historyChars'
  >
  readonly runId: string
  readonly state: Json
  readonly forwardedProps: Json
}

/** What a program is asked: the conversation as it knows it, the tools that run here, and our answers. */
export function runInput({ request, runId, state, forwardedProps }: RunInputParts): RunAgentInput {
  const { instructions, tools, answers, conversation } = request
  const context =
    instructions.trim() === '' ? [] : [{ description: 'Instructions', value: instructions }]
  return {
    threadId: conversation,
    runId,
    protocolVersion: PROTOCOL_VERSION,
    state,
    messages: [...wireMessages(newestOf(request))],
    tools: tools.map(({ name, description = '', inputSchema }): Tool => ({
      name,
      description,
      parameters: inputSchema,
    })),
    context,
    forwardedProps,
    ...(answers.length > 0 ? { resume: answers.map(resumeEntry) } : {}),
  }
}

/** The newest messages that fit, beginning with one that is not the agent's. */
function newestOf({
  messages,
  historyChars,
}: RunInputParts['request']): readonly ConversationMessage[] {
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
export function wireMessages(messages: readonly ConversationMessage[]): readonly Message[] {
  const asked = new Set(
    messages.flatMap((each) => (each.role === 'call' && each.name === QUESTION ? [each.id] : [])),
  )
  const list: Message[] = []
  const ids = new OutgoingIds(messages)
  /** The message that the calls which follow it belong to. */
  let carrier: AssistantMessage | undefined
  for (const message of messages) {
    if (message.failed) continue
    if (message.role === 'call') {
      if (!asked.has(message.id)) carrier = withCall(list, message, { carrier, ids })
      continue
    }
    if (message.role === 'tool' && asked.has(message.call)) continue
    const wire = wireMessage(message, ids)
    list.push(wire)
    carrier = wire.role === 'assistant' ? wire : undefined
  }
  return list
}

/** Messages of one list have ids of their own, also where a program gave one id twice: the newest keeps it. */
class OutgoingIds {
  readonly #ids = new Map<string, string>()

  constructor(messages: readonly ConversationMessage[]) {
    const taken = new Set<string>()
    for (const { id } of messages.toReversed()) {
      const own = programsId(id)
      this.#ids.set(id, taken.has(own) ? id : own)
      taken.add(own)
    }
  }

  of(id: string): string {
    return this.#ids.get(id) ?? programsId(id)
  }
}

type Spoken = Exclude<ConversationMessage, { readonly role: 'call' }>

function wireMessage(message: Spoken, ids: OutgoingIds): Message {
  const { text } = message
  const id = ids.of(message.id)
  switch (message.role) {
    case 'user':
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
      const error = message.outcome === 'failed' ? { error: text } : {}
      return { id, role: 'tool', toolCallId: ids.of(message.call), content: text, ...error }
    }
  }
}

/** Adds a call to the message before it, or to one without text that the stock client would make too. */
function withCall(
  list: Message[],
  { id: ours, name, text, encrypted }: ConversationMessage & { readonly role: 'call' },
  { carrier, ids }: { readonly carrier: AssistantMessage | undefined; readonly ids: OutgoingIds },
): AssistantMessage {
  const id = ids.of(ours)
  const call = {
    id,
    type: 'function' as const,
    function: { name, arguments: text },
    ...(encrypted === undefined ? {} : { encryptedValue: encrypted }),
  }
  const toolCalls = [...(carrier?.toolCalls ?? []), call]
  const message: AssistantMessage = carrier
    ? { ...carrier, toolCalls }
    : { id: `${id}_message`, role: 'assistant', toolCalls }
  if (carrier) list[list.indexOf(carrier)] = message
  else list.push(message)
  return message
}

function resumeEntry({ questionId, status, payload }: ProgramAnswer): ResumeEntry {
  return { interruptId: questionId, status, ...(payload === undefined ? {} : { payload }) }
}
