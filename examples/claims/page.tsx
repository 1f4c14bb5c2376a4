import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useAgentThread, useSend, useThread, useWaits } from 'throughline/react'
import type { Claim } from './claims.ts'

function Claimant({ thread }: { readonly thread: string }) {
  const { tree, questions, approvals, ask, answer } = useAgentThread({ thread })
  const [said, say] = useState('')
  const items = tree.turns.flatMap(({ runs }) => runs).flatMap(({ items: all }) => all)
  return (
    <main>
      <h1>Your claim</h1>
      {items.map((item) => item.kind === 'text' && <p key={item.key}>{item.text}</p>)}
      {approvals.map(({ wait: { id } }) => (
        <p key={id}>A handler decides about a payment.</p>
      ))}
      {questions.map(({ run, waits: [wait] }) => (
        <button key={run} onClick={() => answer(run, { [wait?.toolCallId ?? '']: 'bumper.jpg' })}>
          Take a photo
        </button>
      ))}
      <input aria-label="Message" value={said} onChange={(event) => say(event.target.value)} />
      <button onClick={() => ask('triage', said)}>Send</button>
    </main>
  )
}

function Handler({ thread }: { readonly thread: string }) {
  const url = `/api/threads/${thread}/events`
  const { state } = useThread<Claim>({ url, whenRefused: 'look_again' })
  const { send } = useSend(url)
  const { waits, answer } = useWaits()
  const approve = () => send({ events: [{ type: 'approved', data: {} }] })
  return (
    <main>
      <h1>Claim of {state?.name}</h1>
      <p>It is {state?.status}.</p>
      <button onClick={approve}>Approve claim</button>
      {waits.map((wait) => (
        <button key={wait.id} onClick={() => answer(wait, { approved: true })}>
          {wait.approval?.accept}
        </button>
      ))}
    </main>
  )
}

const [thread = '', page] = location.hash.slice(1).split(',')
const root = document.querySelector('#root')
if (root) createRoot(root).render(page ? <Handler thread={thread} /> : <Claimant thread={thread} />)
