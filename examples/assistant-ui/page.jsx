import { HttpAgent } from '@ag-ui/client'
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from '@assistant-ui/react'
import {
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSubmitInterruptResponses,
} from '@assistant-ui/react-ag-ui'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const api = '/agui/desk'
const threadId = location.hash.slice(1) || crypto.randomUUID()
location.hash = threadId

// The first run joins the thread: what was said, an open question, or the answer at work.
const agent = new HttpAgent({ url: `${api}/connect`, threadId })
agent.subscribe({ onRunStartedEvent: () => void (agent.url = api) })
const history = {
  load: async () => ({ messages: [], unstable_resume: true }),
  append: async () => undefined,
}

function Questions() {
  const asked = useAgUiInterrupts()
  const submit = useAgUiSubmitInterruptResponses()
  const answer = (interruptId, approved) =>
    submit([{ interruptId, status: 'resolved', payload: { approved } }])
  return asked.map(({ id, message }) => (
    <p key={id}>
      {message} <button onClick={() => answer(id, true)}>Approve</button>{' '}
      <button onClick={() => answer(id, false)}>Refuse</button>
    </p>
  ))
}

const User = () => (
  <MessagePrimitive.Root className="user">
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
)

const Assistant = () => (
  <MessagePrimitive.Root className="assistant">
    <MessagePrimitive.Parts
      components={{ tools: { Fallback: ({ result }) => <em>{result}</em> } }}
    />
  </MessagePrimitive.Root>
)

function Chat() {
  const [error, fail] = useState('')
  const onError = ({ message }) => fail(message)
  const runtime = useAgUiRuntime({ agent, adapters: { history }, onError })
  // The stop of the runtime only leaves: the server cancels the turn.
  const stop = () => fetch(`${api}/stop/${encodeURIComponent(threadId)}`, { method: 'POST' })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ UserMessage: User, AssistantMessage: Assistant }} />
        <Questions />
        <p role="status">{error}</p>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          <button type="button" onClick={stop}>
            Stop
          </button>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

createRoot(document.querySelector('#root')).render(<Chat />)
