import { agentEvent, customEvent } from '../../src/activity/index.ts'
import type { EventLog, NewEvent } from 'throughline/log'

const CASE = 'case-1'
const origin = { source: 'model', surface: 'customer', run: 'r', depth: 0 } as const

export interface BusyThread {
  readonly thread: string
  /** How many records it holds now. */
  readonly appended: number
  /** Appends until the thread holds `count` records, a few at a time, while others work. */
  flow(count: number): Promise<void>
}

/** A case in which much is said; of some records the customer sees nothing. */
export async function busyCase(log: EventLog): Promise<BusyThread> {
  const created = { sessionId: CASE, retailerName: 'Busy Solar' }
  const system = { source: 'system', depth: 0 } as const
  await log.append(CASE, [{ type: 'case_created', data: created, origin: system }])
  return busy(log, CASE, (seq) => {
    if (seq % 3 === 2)
      return agentEvent('STEP_STARTED', { stepName: `hidden ${seq}` }, { ...origin, agent: 'a' })
    const delta = `${seq} `.repeat(1 + ((seq * 7) % 90))
    return agentEvent('TEXT_MESSAGE_CONTENT', { messageId: `m${seq}`, delta }, origin)
  })
}

/** A thread of agents; every fourth record shows its caller several events at once, some none. */
export async function busyAgents(log: EventLog): Promise<BusyThread> {
  const thread = 'agents-1'
  // As a process that works on the run would: otherwise the server takes it for abandoned, and ends it.
  await log.leases.acquire(thread)
  const at = { ...origin, agent: 'clerk', path: ['clerk'], turn: 'r' }
  await log.append(thread, [agentEvent('RUN_STARTED', { threadId: thread, runId: 'r' }, at)])
  return busy(log, thread, (seq) => {
    const [place, block] = [seq % 8, seq - (seq % 8)]
    if (place < 3) {
      const call = { toolCallId: `c${block}-${place}`, toolCallName: `look_up_${place}` }
      return agentEvent('TOOL_CALL_START', call, at)
    }
    if (place === 3) {
      const toolCalls = [0, 1, 2].map((each) => `c${block}-${each}`)
      return customEvent('model_output', { model: 'm', finishReason: 'stop', toolCalls }, at)
    }
    if (place === 4) return customEvent('note', `nobody sees ${seq}`, at)
    const delta = `${seq} `.repeat(1 + ((seq * 7) % 180))
    return agentEvent('TEXT_MESSAGE_CONTENT', { messageId: `m${seq}`, delta }, at)
  })
}

async function busy(
  log: EventLog,
  thread: string,
  event: (seq: number) => NewEvent,
): Promise<BusyThread> {
  let appended = (await log.head(thread)) + 1
  return {
    thread,
    get appended() {
      return appended
    },
    async flow(count) {
      while (appended < count) {
        const size = Math.min(8, count - appended)
        const events = Array.from({ length: size }, (_, index) => event(appended + index))
        await log.append(thread, events)
        appended += size
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}
