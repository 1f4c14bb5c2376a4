import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { domain } from '../../apps/broker/case/given-case.fixture.ts'
import { waterfallRunner } from '../../apps/broker/case/index.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import type { LenderPanel } from '../../apps/broker/lenders/index.ts'
import { narrators } from '../../apps/broker/narrator/index.ts'
import { defineAgent, tool, Runs } from '../../src/agents/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import { Gate } from '../../src/gate/index.ts'
import type { EventLog } from '../../src/log/index.ts'
import { logWith } from '../../src/log/log-with.fixture.ts'
import { restarted } from '../../src/log/restarted-log.fixture.ts'
import { sha256, uuidv7 } from '../../src/storage/index.ts'
import { office } from './office.fixture.ts'

export interface Scene {
  readonly log: EventLog
  /** Told where the turns are, at each point at which they could be cut off. */
  readonly at: (point: string) => Promise<void>
  /** The requests to an outside service, which keeps a list of them. */
  readonly outside: (asked: string) => void
}

/**
 * A narrator's turn that ends in work in the world, in the thread `case`, then a turn of agents whose
 * tool does some, in the thread `desk`. Run again on the same log it finishes the open turns.
 */
export async function runTwoTurns(scene: Scene): Promise<void> {
  const log = pointed(scene)
  await endCase(log, scene)
  await payOnce(log, scene)
}

/** A log of a restarted process, with a point before and after each append. */
export function pointed({ log, at }: Pick<Scene, 'log' | 'at'>): EventLog {
  return labelled(restarted(log), at)
}

/** A log with a point before and after each append. */
export function labelled(log: EventLog, at: Scene['at']): EventLog {
  return logWith(log, {
    async append(thread, events, options) {
      const label = `the append of ${events.map(({ type }) => type).join('+')}`
      await at(`before ${label}`)
      const records = await log.append(thread, events, options)
      await at(`after ${label}`)
      return records
    },
  })
}

async function asked({ at, outside }: Scene, who: string, key: string): Promise<void> {
  await at(`before the ${who} hears of it`)
  outside(`${who} ${key}`)
  await at(`after the ${who} heard of it`)
}

/** Lenders who keep a list of what they were asked. */
export function askedPanel(scene: Scene): LenderPanel {
  return {
    lenders: builtInPanel.lenders,
    async decide(index, application, call) {
      await asked(scene, 'lender', call.key)
      return builtInPanel.decide(index, application, call)
    },
  }
}

async function endCase(log: EventLog, scene: Scene): Promise<void> {
  const parts = { log, id: uuidv7, now: Date.now, sha256 }
  const gate = new Gate({ ...parts, domain })
  const panel = askedPanel(scene)
  const runners = { waterfall: waterfallRunner(panel) }
  const tag = `<agent-event type="withdraw" data='{"reason":"of its own"}' />`
  const model = scriptedModel(() => `One moment.\n${tag}`)
  const { customer } = narrators({ model, domain, now: Date.now })
  const own = { gate, agents: [customer], effects: runners, retryDelayMs: 0 }
  const runs = new Runs({ ...parts, ...own })
  await runs.recover('case')
  runs.wake('case')
  await runs.start('case', {
    agent: 'customer',
    key: 'the last click',
    input: 'Yes, go ahead',
    events: [{ type: 'acknowledge_disclosure', data: { id: 'pre_contract_summary' } }],
  }).result
  // An effect that a crash cut off runs beside the turns.
  while ((await runs.dueAt('case')) !== undefined) await setTimeout(2)
}

async function payOnce(log: EventLog, scene: Scene): Promise<void> {
  const { gate } = office(log)
  const pay = tool({
    inputSchema: z.object({}),
    execute: async (_input, { toolCallId }) => {
      await asked(scene, 'till', toolCallId)
      return 'paid'
    },
  })
  const clerk = defineAgent({ name: 'clerk', model: calling('pay', {}), tools: { pay } })
  const asks = calling('call_clerk', { message: 'Pay' })
  const lead = defineAgent({ name: 'lead', model: asks, agents: [clerk] })
  const runs = new Runs({ gate, log, agents: [lead], sha256, id: uuidv7, retryDelayMs: 0 })
  await runs.recover('desk')
  await runs.start('desk', { agent: 'lead', input: 'Pay', key: 'pay once' }).result
}

/** A model that calls one tool and then says that it is done. */
function calling(name: string, input: unknown) {
  return scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'Done.' : { text: 'Now.', toolCalls: [{ name, input }] },
  )
}
