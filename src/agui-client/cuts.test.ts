import { randomUUID } from 'node:crypto'
import { HttpAgent } from '@ag-ui/client'
import { expect, test, vi } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { resumableFetch } from '../client/index.ts'
import { run, say, serveAgui } from '../server/agui-server.fixture.ts'
import { chance } from '../../test/chance.fixture.ts'
import type { Fault } from '../../test/streams/proxy.fixture.ts'
import { through } from '../../test/streams/served-threads.fixture.ts'
import { AguiThread, aguiFetch } from './index.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const SEEDS = timesInTier({ quick: 3, full: 8 })
const JOINS = timesInTier({ quick: 5, full: 12 })

const quick = { random: () => 0 }

/** The agent's reply ends with the context of the request. */
const LONG = 'Žluťoučký kůň 🐎 pěl ďábelské ódy — “déjà vu”. '.repeat(300).trim()
const context = [{ description: 'the page', value: LONG }]
const SAID_BYTES = 2 * Buffer.byteLength(LONG)

/** Cuts the first connections after some bytes, and no later one. */
function firstCut(count: number, bytes: (connection: number) => number): () => Fault {
  let connections = 0
  return () => {
    const connection = connections++
    if (connection >= count) return { kind: 'none' }
    return { kind: 'cut', afterBytes: 1 + Math.floor(bytes(connection)) }
  }
}

test('[E1] the stock client reads every byte of a run whose connections are cut at random bytes', async () => {
  const { url, log } = await serveAgui()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = chance(seed)
    const proxy = await through(
      url,
      firstCut(6, () => (random() * SAID_BYTES) / 6),
    )
    const agent = new HttpAgent({
      url: `${proxy.url}/agui/clerk`,
      threadId: randomUUID(),
      fetch: resumableFetch(quick),
    })
    say(agent, 'where am I?')
    const { messages } = await run(agent, { context })
    expect(String(messages.at(-1)?.content).endsWith(LONG), `seed ${seed}`).toBe(true)
    expect(proxy.done.cut).toBeGreaterThan(2)
    const records = await recordsOf(log, agent.threadId)
    expect(records.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1)
  }
})

test.each([true, undefined])(
  '[E1] our client reads every byte of a run whose connections are cut at random bytes (attaches: %s)',
  async (attaches) => {
    const { url, log } = await serveAgui()
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = chance(seed)
      // Without more knowledge of the agent, the first connection must bring a frame.
      const least = (connection: number) => (connection === 0 && !attaches ? 3_000 : 0)
      const proxy = await through(
        url,
        firstCut(6, (connection) => least(connection) + (random() * SAID_BYTES) / 6),
      )
      const faults: unknown[] = []
      const thread = new AguiThread({
        url: `${proxy.url}/agui/clerk`,
        fetch: aguiFetch({ ...quick, ...(attaches && { attaches }) }),
        onFault: (fault) => faults.push(fault),
      })
      const end = await thread.run({
        messages: [{ id: randomUUID(), role: 'user', content: 'where am I?' }],
        context,
      })
      expect(end, `seed ${seed}`).toMatchObject({ status: 'finished' })
      expect(String(thread.getSnapshot().messages.at(-1)?.content).endsWith(LONG)).toBe(true)
      expect(faults).toEqual([])
      expect(proxy.done.cut).toBeGreaterThan(2)
      const records = await recordsOf(log, thread.threadId)
      expect(records.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1)
    }
  },
)

test('[E1] a client that joins a thread has all of it, wherever its connections are cut', async () => {
  const { url, gate, log } = await serveAgui()
  const random = chance(7)
  let cuts = 0
  for (let round = 0; round < JOINS; round++) {
    const told = new AguiThread({ url: `${url}/agui/teller` })
    const ending = told.run({ messages: [{ id: randomUUID(), role: 'user', content: LONG }] })
    await vi.waitFor(async () => expect(await log.head(told.threadId)).toBeGreaterThan(4))
    const proxy = await through(
      url,
      firstCut(3, () => random() * Buffer.byteLength(LONG) * 1.2),
    )
    const faults: unknown[] = []
    const joiner = new AguiThread({
      url: `${proxy.url}/agui/teller`,
      threadId: told.threadId,
      fetch: aguiFetch({ ...quick, attaches: true }),
      onFault: (fault) => faults.push(fault),
    })
    const joined = joiner.connect()
    await new Promise((resolve) => setTimeout(resolve, 30))
    gate.open()
    await expect(ending).resolves.toMatchObject({ status: 'finished' })
    await expect(joined, `round ${round}`).resolves.toMatchObject({ status: 'finished' })
    expect(joiner.getSnapshot().messages).toEqual(told.getSnapshot().messages)
    expect(faults).toEqual([])
    cuts += proxy.done.cut
  }
  expect(cuts).toBeGreaterThan(JOINS / 2)
})
