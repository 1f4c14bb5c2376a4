import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Gate, post, serveAgui } from './agui-server.fixture.ts'
import { mounted } from './mounted-routes.fixture.ts'

const [gate, door] = ['gate', 'door'].map((surface) => ({
  role: 'responder',
  actor: surface,
  surface,
}))

test.each(['payer', 'nobody'])(
  '[X21] a stop that names the agent "%s", which has no surface, reaches no turn of another surface',
  async (agent) => {
    const { ask, throughline } = await mounted()
    await ask('/api/threads/t/runs', gate, { agent: 'guard', input: 'Pay' })
    const waiting = async () =>
      (await throughline.app('incidents').gate.snapshot('t')).pauses.waiting
    await expect.poll(waiting).toHaveLength(1)
    const stop = `/agui/${agent}/stop/t`
    expect(await ask(stop, door, {})).toMatchObject({ status: 200, body: { stopped: false } })
    expect(await waiting()).toHaveLength(1)
    expect(await ask(stop, gate, {})).toMatchObject({ status: 200, body: { stopped: true } })
    await expect.poll(waiting).toHaveLength(0)
  },
)

test.each([
  ['no body and a JSON content type', { headers: { 'content-type': 'application/json' } }],
  ['an empty body', { headers: { 'content-type': 'application/json' }, body: '' }],
  ['a stream without bytes', { body: new Blob([]).stream(), duplex: 'half' }],
])('a stop with %s cancels the turn at work', async (_name, init) => {
  const { url, throughline } = await serveAgui({ gate: new Gate() })
  const threadId = randomUUID()
  const content = 'Tell me a story'
  const messages = [{ id: randomUUID(), role: 'user', content }]
  const asked = { threadId, runId: randomUUID(), messages, protocolVersion: '1.0' }
  const ran = post(`${url}/agui/teller`, JSON.stringify(asked))
  const running = async () =>
    (await throughline.app('desk').gate.snapshot(threadId)).conversation.messages
  await expect.poll(running).toHaveLength(3)
  const stopped = await fetch(`${url}/agui/teller/stop/${threadId}`, { method: 'POST', ...init })
  expect([stopped.status, await stopped.json()]).toEqual([200, { stopped: true }])
  expect((await ran).text).toContain('"cancelled"')
})

test('a stop without a declared length stops the run that its body names, and no other', async () => {
  const { ask } = await mounted()
  await ask('/api/threads/t/runs', gate, { agent: 'guard', input: 'Pay' })
  const stop = await ask('/agui/guard/stop/t', gate, { runId: 'another' })
  expect(stop).toMatchObject({ status: 200, body: { stopped: false } })
})
