import { callModel } from '../../src/models/index.ts'
import type { ModelMessage } from 'throughline'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import type { MessagesRequest } from './anthropic-rules.fixture.ts'
import { textOf } from './openai-rules.fixture.ts'
import type { ResponsesRequest } from './openai-rules.fixture.ts'
import type { Script } from './provider-server.fixture.ts'

type Said = { readonly role: string; readonly text: string }

/** Answers a provider's request with the scripted narrator's reply. */
function playing<Body>(saidIn: (body: Body) => readonly Said[]): Script<Body> {
  const narrator = scriptedNarrator()
  return async ({ system, body }) => {
    const messages = saidIn(body).map(({ role, text }): ModelMessage => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      text,
    }))
    let answer = ''
    for await (const part of callModel(narrator, { system, messages })) {
      if (part.type === 'text') answer += part.delta
    }
    return answer
  }
}

export const playedByAnthropic = playing<MessagesRequest>(({ messages }) =>
  messages.map(({ role, content }) => ({
    role,
    text: content.map(({ text = '' }) => text).join(''),
  })),
)

export const playedByOpenAI = playing<ResponsesRequest>(({ input }) =>
  input
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map((item) => ({ role: item.role ?? '', text: textOf(item) })),
)
