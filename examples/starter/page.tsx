import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useAgentThread, useSend, useThread } from 'throughline/react'
import type { Order } from './orders.ts'

function OrderPage({ thread }: { readonly thread: string }) {
  const url = `/api/threads/${thread}/events`
  const { tree, ask } = useAgentThread({ thread })
  const { state: order } = useThread<Order>({ url, whenRefused: 'look_again' })
  const { send, status } = useSend(url)
  const [said, say] = useState('Some tea, please')
  const items = tree.turns.flatMap(({ runs }) => runs).flatMap((run) => run.items)
  return (
    <main>
      <h1>Your order</h1>
      {items.map((item) => item.kind === 'text' && <p key={item.key}>{item.text}</p>)}
      <input aria-label="Message" value={said} onChange={(event) => say(event.target.value)} />
      <button onClick={() => ask('clerk', said)}>Send</button>
      <p>
        The order is {order?.status ?? 'empty'}, £{order?.pounds ?? 0}.
      </p>
      <button
        disabled={order?.status !== 'placed' || status === 'sending'}
        onClick={() => send({ events: [{ type: 'paid', data: {} }] })}
      >
        Pay
      </button>
    </main>
  )
}

// The address keeps the thread: a reload and a second tab show the same order.
location.hash ||= `order-${crypto.randomUUID()}`
const root = document.querySelector('#root')
if (root) createRoot(root).render(<OrderPage thread={location.hash.slice(1)} />)
