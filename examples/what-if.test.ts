import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { open } from 'throughline'
import { forkThread, replayed } from 'throughline/testing'
import { app, incidents } from './incidents/incidents.ts'

const INCIDENTS = 50
/** In every tenth the coordinator is asked once it is resolved, and plans a restart all the same. */
const isAskedLate = (n: number): boolean => n % 10 === 9

async function fiftyIncidents() {
  const pager = createServer((_request, answer) => answer.end())
  await new Promise<void>((done) => {
    pager.listen(0, '127.0.0.1', done)
  })
  const { port } = pager.address() as AddressInfo
  const desk = app(`http://127.0.0.1:${port}`)
  const former = careless(desk)
  const tl = await open({ store: 'memory:', apps: [former] })
  const monitor = tl.as({ source: 'remote', surface: 'monitor', actor: 'uptime' })
  const ann = tl.as({ source: 'ui', surface: 'responder', actor: 'ann' })
  for (let n = 0; n < INCIDENTS; n++) {
    const thread = `incident-${n}`
    const ask = () => tl.turn(thread, { agent: 'coordinator', input: 'What do we do?' }).result
    await monitor.propose(thread, [{ type: 'reported', data: { what: `Checkout fails: ${n}` } }])
    await tl.settled()
    await ann.propose(thread, [{ type: 'acknowledged', data: {} }])
    if (!isAskedLate(n)) {
      const { run } = await ask()
      await tl.resume(thread, { run, values: { approved: n % 2 === 0 } }).result
    }
    await ann.propose(thread, [{ type: 'resolved', data: {} }])
    if (isAskedLate(n)) await ask()
  }
  return { tl, desk, former, end: async () => (await tl.close(0), pager.close()) }
}

/** The incident desk as it once was: its model may plan in an incident that is resolved. */
function careless(desk: ReturnType<typeof app>): ReturnType<typeof app> {
  const events = new Map(incidents.events)
  const planned = events.get('plan_proposed')
  if (!planned) throw new Error('There is no such event')
  events.set('plan_proposed', { ...planned, from: {} })
  const domain = { ...incidents, events }
  return { ...desk, domain, agents: desk.agents.map((agent) => ({ ...agent, domain })) }
}

test('of fifty recorded incidents, a mended definition decides the five otherwise that went wrong', async () => {
  const { tl, desk, former, end } = await fiftyIncidents()
  expect(await replayed(tl.log, former)).toMatchObject({ threads: INCIDENTS, skipped: 0 })
  const { message } = (await replayed(tl.log, desk).catch((error: unknown) => error)) as Error
  expect(message).toContain(
    '- 5 threads: "plan_proposed" of agent coordinator was accepted, and is refused now\n' +
      '    first: incident-9 at ',
  )
  expect(message).toContain('+ precondition: it needs "status" to be "open" or "acknowledged"')
  expect(message).toContain('45 equal, 5 differ, 0 cannot be told, 0 skipped')
  await end()
})

test('a fork of an incident leaves the resolution out, and nobody is paged', async () => {
  const { tl, desk, end } = await fiftyIncidents()
  const thread = 'incident-9'
  const records = []
  for await (const batch of tl.log.read(thread)) records.push(...batch)
  const resolved = records.find(({ type }) => type === 'resolved')
  const at = (resolved?.seq ?? 0) - 1
  const fork = await forkThread({ origin: tl.log, thread, at, apps: [desk] })
  const { state, waits } = await fork.tl.turn(thread, { agent: 'coordinator', input: 'And now?' })
    .result
  expect(state).toMatchObject({ status: 'acknowledged', plan: 'Restart the cache' })
  expect(waits.map(({ toolName }) => toolName)).toEqual(['restart'])
  expect((await tl.state(thread)).state.status).toBe('resolved')
  await fork.close()
  await end()
})
