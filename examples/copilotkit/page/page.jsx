import { CopilotChat, CopilotKitProvider, useInterrupt } from '@copilotkit/react-core/v2'
import '@copilotkit/react-core/v2/styles.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const threadId = location.hash.slice(1) || crypto.randomUUID()
location.hash = threadId

function Chat() {
  const [fault, tell] = useState('')
  useInterrupt({
    agentId: 'desk',
    render: ({ interrupt, resolve }) => (
      <p>
        {interrupt?.message} <button onClick={() => resolve({ approved: true })}>Approve</button>{' '}
        <button onClick={() => resolve({ approved: false })}>Refuse</button>
      </p>
    ),
  })
  const onError = ({ error }) => tell(error.message)
  return (
    <>
      <CopilotChat agentId="desk" threadId={threadId} onError={onError} />
      <p role="status">{fault}</p>
    </>
  )
}

createRoot(document.querySelector('#root')).render(
  <CopilotKitProvider runtimeUrl="/api/copilotkit" enableInspector={false}>
    <Chat />
  </CopilotKitProvider>,
)
