import { fetchServerSentEvents, useChat } from '@tanstack/ai-react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const api = '/agui/desk'
const threadId = location.hash.slice(1) || crypto.randomUUID()
location.hash = threadId

const connection = fetchServerSentEvents(api)

function Part({ part }) {
  if (part.type === 'text') return <p>{part.content}</p>
  return part.type === 'tool-result' ? <em>{part.content}</em> : null
}

/** Each question of the agent is bound to its run, also after a reload. */
function Question({ interrupt }) {
  const answer = (approved) => interrupt.resolveInterrupt({ approved })
  return (
    <p>
      {interrupt.message} <button onClick={() => answer(true)}>Approve</button>{' '}
      <button onClick={() => answer(false)}>Refuse</button>
    </p>
  )
}

function Chat() {
  const [said, say] = useState('')
  const chat = useChat({ connection, threadId, persistence: true })
  const { messages, interrupts, status, error, sendMessage } = chat
  const send = () => {
    void sendMessage(said)
    say('')
  }
  // The stop of the client only leaves: the server cancels the turn.
  const stop = () => fetch(`${api}/stop/${encodeURIComponent(threadId)}`, { method: 'POST' })
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <section key={id} className={role}>
          {parts.map((part, at) => (
            <Part key={at} part={part} />
          ))}
        </section>
      ))}
      {interrupts.map((each) => (
        <Question key={each.id} interrupt={each} />
      ))}
      <p role="status">{error ? error.message : status}</p>
      <input aria-label="Message" value={said} onChange={(event) => say(event.target.value)} />
      <button onClick={send}>Send</button>
      <button onClick={stop}>Stop</button>
    </main>
  )
}

createRoot(document.querySelector('#root')).render(<Chat />)
