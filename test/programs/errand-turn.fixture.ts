import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { OpenWork, Runs, defineAgent, tool } from '../../src/agents/index.ts'
import type { AgentResult } from '../../src/agents/index.ts'
import type { EffectRunners } from '../../src/due-work/index.ts'
import { Gate, stableId } from '../../src/gate/index.ts'
import type { Cursors } from '../../src/log/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import type { ScriptedReply } from '../../src/models/index.ts'
import { sha256, uuidv7 } from '../../src/storage/index.ts'
import { errand } from './errand.fixture.ts'
import type { Errand } from './errand.fixture.ts'
import { acknowledging } from './recovery.fixture.ts'
import { labelled } from './two-turns.fixture.ts'
import type { Scene } from './two-turns.fixture.ts'

export interface ErrandScene extends Scene {
  readonly cursors: Cursors
  /** A person cancels the turn while its tools run. */
  readonly isCancelled?: boolean
}

export const THREAD = 't'
export const KEY = 'errand'
export const AGENT = 'host'
/** The turn of the key: its id is made of the thread, the agent's surface and the key. */
export const TURN = stableId(THREAD, 'desk', KEY)

const NEXT = 'Anything else?'
/** The alarm rings this long after the start of the first turn: in the middle of it. */
const ALARM_MS = 30
const BACKOFF_MS = 3
const DRAIN_MS = 1_000
const ALARM_ID = stableId(THREAD, 'alarm')

/**
 * Recovers what an earlier process left open, asks for one turn under a key, and waits until no work is
 * open: a turn with tools, a sub-agent, a tag, two effects and a deadline.
 */
export async function runErrand(scene: ErrandScene): Promise<AgentResult<Errand>> {
  const { runs, gate, log, work } = opened(scene)
  await work.recover()
  work.follow()
  if (!(await log.find(THREAD, ALARM_ID))) await setAlarm(gate)
  runs.wake(THREAD)
  const events = [{ type: 'ask', data: {} }]
  const result = await runs.start(THREAD, { agent: AGENT, key: KEY, input: 'Go on', events }).result
  await workEnded(runs)
  work.stop()
  await runs.drain(DRAIN_MS)
  await work.close()
  return result
}

/** Asks for another turn, without a key. */
export async function runNextTurn(scene: ErrandScene): Promise<AgentResult<Errand>> {
  const { runs } = opened({ ...scene, isCancelled: false })
  const result = await runs.start(THREAD, { agent: AGENT, input: NEXT }).result
  await workEnded(runs)
  await runs.drain(DRAIN_MS)
  return result
}

function opened(scene: ErrandScene) {
  const log = acknowledging(labelled(scene.log, scene.at), scene.outside)
  const parts = { log, id: uuidv7, now: Date.now, sha256 }
  const gate = new Gate<Errand>({ ...parts, domain: errand })
  const onFault = (error: unknown): void => scene.outside(`fault ${String(error)}`)
  const runs: Runs<Errand> = new Runs<Errand>({
    ...parts,
    gate,
    agents: [host(scene, () => runs)],
    effects: runners(scene),
    retryDelayMs: 0,
    onFault,
  })
  const work = new OpenWork({
    log,
    cursors: scene.cursors,
    version: '1',
    now: Date.now,
    dueAt: (thread) => runs.dueAt(thread),
    recover: (thread) => runs.recover(thread),
    moved: (thread) => runs.catchUp(thread),
    takeUp: async (thread, dueAt) => runs.wakeAt(thread, dueAt),
    onFault,
  })
  return { runs, gate, log, work }
}

async function setAlarm(gate: Gate<Errand>): Promise<void> {
  const origin = { source: 'ui', depth: 0 } as const
  const data = { at: Date.now() + ALARM_MS }
  await gate.commit(THREAD, [{ id: ALARM_ID, type: 'set_alarm', data, origin }])
}

async function workEnded(runs: Runs<Errand>): Promise<void> {
  while ((await runs.dueAt(THREAD)) !== undefined) await setTimeout(2)
}

/** Calls a system outside, which lists the keys of its calls. */
async function callOutside({ at, outside }: Scene, who: string, key: string): Promise<void> {
  await at(`before the ${who} is called`)
  outside(`${who} ${key}`)
  await at(`after the ${who} was called`)
}

function runners(scene: Scene): EffectRunners<Errand> {
  return {
    page: {
      retry: { attempts: 9, backoffMs: BACKOFF_MS },
      async run({ key, attempt }) {
        await callOutside(scene, 'pager', key)
        if (attempt === 1) throw new Error('The pager is off')
        return { type: 'paged', data: {} }
      },
    },
    send: {
      async run({ key }) {
        await callOutside(scene, 'post', key)
        return { type: 'sent', data: {} }
      },
    },
  }
}

function host(scene: ErrandScene, runs: () => Runs<Errand>) {
  const inputSchema = z.object({})
  const look = tool({
    inputSchema,
    execute: async () => {
      if (scene.isCancelled) void runs().cancel(THREAD, { by: 'a person' })
      await setTimeout(ALARM_MS)
      return 'seen'
    },
  })
  const asking = (who: string) =>
    tool({
      inputSchema,
      execute: async (_input, { toolCallId }) => {
        await callOutside(scene, who, toolCallId)
        return 'done'
      },
    })
  const helper = defineAgent<Errand>({
    name: 'helper',
    model: inSteps({ text: 'I fetch it.', toolCalls: [{ name: 'fetch', input: {} }] }, 'Fetched.'),
    tools: { fetch: asking('store') },
  })
  const calls = [
    { name: 'look', input: {} },
    { name: 'pay', input: {} },
    { name: 'call_helper', input: { message: 'Fetch it' } },
  ]
  const tag = `<agent-event type="remark" data='{}' />`
  const first = { reasoning: 'Let me see.', text: `One moment. ${tag}`, toolCalls: calls }
  return defineAgent<Errand>({
    name: AGENT,
    surface: 'desk',
    submits: true,
    model: inSteps(first, 'All done.'),
    tools: { look, pay: asking('till') },
    agents: [helper],
  })
}

/** A model that calls tools for its first message, and then says that it is done. */
function inSteps(first: ScriptedReply, last: string) {
  return scriptedModel(({ messages }) => {
    const hasBegun = messages.some(({ role, text }) => role === 'tool' || text.includes(NEXT))
    return hasBegun ? last : first
  })
}
