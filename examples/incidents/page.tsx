import { createRoot } from 'react-dom/client'
import { useAgentThread } from 'throughline/react'

function Incident({ thread }: { readonly thread: string }) {
  const { tree, questions, ask, answer } = useAgentThread({ thread, base: '/tl/api' })
  const items = tree.turns.flatMap(({ runs }) => runs).flatMap((run) => run.items)
  return (
    <main>
      <h1>Incident {thread}</h1>
      <button onClick={() => ask('coordinator', 'What shall we do?')}>Ask the coordinator</button>
      {items.map((item) => item.kind === 'text' && <p key={item.key}>{item.text}</p>)}
      {questions.map(({ run, waits: [wait] }) => (
        <button key={run} onClick={() => answer(run, { approved: true })}>
          Approve {wait?.toolName}
        </button>
      ))}
    </main>
  )
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Incident thread={location.hash.slice(1)} />)
