// CopilotKit's core against a server, as its hooks use it: asks, approves, joins the thread again.
// It looks at the server's agents only where there is a window.
globalThis.window = globalThis
const { CopilotKitCore } = await import('@copilotkit/core')

const [, , url = ''] = process.argv
const core = new CopilotKitCore({ runtimeUrl: `${url}/agui`, runtimeTransport: 'rest' })
await new Promise((resolve) => {
  core.subscribe({ onAgentsChanged: ({ agents }) => 'desk' in agents && resolve() })
})
const agent = core.getAgent('desk')
agent.threadId = crypto.randomUUID()
const content = 'Please refund order 4711, it arrived broken.'
agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
let interrupts = []
let runId = ''
agent.subscribe({
  onRunStartedEvent: ({ event }) => void (runId = event.runId),
  onRunFinishedEvent: ({ event }) => void (interrupts = event.outcome?.interrupts ?? []),
})
await core.runAgent({ agent })
const approvals = interrupts.length
const resume = interrupts.map(({ id }) => ({
  interruptId: id,
  status: 'resolved',
  payload: { approved: true },
}))
// As its `useInterrupt` does: under the id of the run that was interrupted.
await core.runAgent({ agent, runId, resume })
const said = agent.messages.at(-1)?.content
const other = agent.clone()
other.messages = []
await core.connectAgent({ agent: other })
const joined = other.messages.at(-1)?.content
process.stdout.write(JSON.stringify({ agents: Object.keys(core.agents), approvals, said, joined }))
process.exit(0)
