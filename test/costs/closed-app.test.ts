import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { open } from 'throughline'
import type { Throughline } from 'throughline'
import { expect, test } from 'vitest'
import { memoryLog, ourAgent } from '../../bench/turn-engines.ts'

setFlagsFromString('--expose-gc')
// A function of the engine, which has no types.
const collect = runInNewContext('gc') as () => void

const COLLECTED_WITHIN_MS = 10_000

test('an application that was closed, and its log, can be collected', async () => {
  const { app, log } = await closedApp()
  await expect
    .poll(
      async () => {
        await setImmediate()
        collect()
        // Its values are kept until the next try, and so would be what they hold.
        return [app, log].map((each) => each.deref() === undefined)
      },
      { timeout: COLLECTED_WITHIN_MS },
    )
    .toEqual([true, true])
})

async function closedApp() {
  const store = memoryLog()
  const agent = ourAgent([{ chunks: ['All is well.'] }])
  const tl: Throughline = await open({ store, agents: [agent] })
  for (let n = 0; n < 20; n++) await tl.turn(`t${n}`, { agent: agent.name, input: 'Hi' }).result
  await tl.close()
  await store.close()
  return { app: new WeakRef(tl), log: new WeakRef(store) }
}
