import { HttpAgent } from '@ag-ui/client'

/** The only line that changes: the address of the agent, or of the proxy in front of it. */
const url = new URLSearchParams(location.search).get('agent') ?? '/agui'

const threadId = location.hash.slice(1) || crypto.randomUUID()
location.hash = threadId
const agent = new HttpAgent({ url, threadId })
const element = (id) => document.getElementById(id)

function show() {
  const lines = agent.messages.map(({ role, content }) => {
    const line = document.createElement('p')
    line.className = role
    line.textContent = content
    return line
  })
  element('said').replaceChildren(...lines)
  element('answers').textContent = String(agent.state.answers ?? 0)
}

const subscriber = { onMessagesChanged: show, onStateChanged: show }

function run(work) {
  element('status').textContent = 'at work'
  work()
    .catch(console.error)
    .finally(() => {
      show()
      element('status').textContent = 'ready'
    })
}

element('form').onsubmit = (event) => {
  event.preventDefault()
  const content = element('words').value
  element('words').value = ''
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
  show()
  run(() => agent.runAgent({}, subscriber))
}

element('stop').onclick = () => {
  agent.abortRun()
  // A page that only leaves does not stop the answer of the proxy.
  if (url !== '/agui') fetch(`${url}/stop/${threadId}`, { method: 'POST' }).catch(console.error)
}

/** The page had no history: this shows what was said before, and the answer that is on its way. */
if (url !== '/agui') {
  const join = new HttpAgent({ url: `${url}/connect`, threadId })
  const joined = () => {
    agent.setMessages(join.messages)
    agent.setState(join.state)
    show()
  }
  run(() => join.runAgent({}, { onMessagesChanged: joined, onStateChanged: joined }))
}
