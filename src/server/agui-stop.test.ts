import { expect, test } from 'vitest'
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
