import { useChat } from '@ai-sdk/react'
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from 'ai'
import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

const api = '/chat/desk'
const id = location.hash.slice(1) || crypto.randomUUID()
location.hash = id

const isAnswered = (chat) =>
  lastAssistantMessageIsCompleteWithApprovalResponses(chat) ||
  lastAssistantMessageIsCompleteWithToolCalls(chat)

const history = async () => (await fetch(`${api}/${id}`)).json()

/** Shows the turns that other tabs begin. */
function useOtherTabs({ status, messages, setMessages, resumeStream }) {
  const idle = status === 'ready' || status === 'error'
  const isIdle = useRef(idle)
  useEffect(() => {
    isIdle.current = idle
  }, [idle])
  const [hasBegun, begin] = useState(false)
  if (!hasBegun && idle && messages.length > 0) begin(true)
  useEffect(() => {
    if (!hasBegun) return undefined
    let events
    const follow = ({ head }) => {
      events = new EventSource(`/api/threads/${id}/events?view=agent&after=${head}`)
      events.onmessage = async ({ data }) => {
        const { type, depth } = JSON.parse(data)
        const begins = type === 'prompt_started' || type === 'resume_with_input'
        if (!begins || depth > 0 || !isIdle.current) return
        setMessages((await history()).messages)
        await resumeStream()
      }
    }
    void history().then(follow)
    return () => events?.close()
  }, [hasBegun, setMessages, resumeStream])
}

function Part({ part, chat }) {
  const { toolCallId, state, input, output, approval } = part
  const answer = (approved) => chat.addToolApprovalResponse({ id: approval.id, approved })
  if (part.type === 'text') return <p>{part.text}</p>
  if (part.type === 'data-throughline-state') return <small>Refunded: £{part.data.refunded}</small>
  if (part.type === 'data-throughline-end') return <em>It ended: {part.data.reason}.</em>
  if (state === 'approval-requested') {
    return (
      <p>
        Refund £{input.pounds}? <button onClick={() => answer(true)}>Approve</button>{' '}
        <button onClick={() => answer(false)}>Refuse</button>
      </p>
    )
  }
  if (part.type === 'tool-photo' && state === 'input-available') {
    const take = () =>
      chat.addToolOutput({ tool: 'photo', toolCallId, output: 'a photo of ' + input.of })
    return <button onClick={take}>Take a photo of {input.of}</button>
  }
  if (state === 'output-denied') return <em>Refused.</em>
  return state === 'output-available' ? <em>{output}</em> : null
}

function Chat({ messages }) {
  const [said, say] = useState('')
  const chat = useChat({
    id,
    messages,
    resume: true,
    transport: new DefaultChatTransport({ api }),
    sendAutomaticallyWhen: isAnswered,
  })
  useOtherTabs(chat)
  const { status, error, sendMessage, regenerate } = chat
  const send = () => {
    void sendMessage({ text: said })
    say('')
  }
  return (
    <main>
      {chat.messages.map(({ id: key, role, parts }) => (
        <section key={key} className={role}>
          {parts.map((part, at) => (
            <Part key={at} part={part} chat={chat} />
          ))}
        </section>
      ))}
      <p role="status">{error ? error.message : status}</p>
      <input aria-label="Message" value={said} onChange={(event) => say(event.target.value)} />
      <button onClick={send}>Send</button>
      <button onClick={() => fetch(`${api}/${id}/stop`, { method: 'POST' })}>Stop</button>
      <button onClick={() => void regenerate()}>Again</button>
    </main>
  )
}

const { messages } = await history()
createRoot(document.querySelector('#root')).render(<Chat messages={messages} />)
