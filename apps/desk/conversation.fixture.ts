import { onTestFinished } from 'vitest'
import { open } from 'throughline'
import type { AgentTurn, CallerEvent, Throughline } from 'throughline'
import { deskAgents, scriptedDesk } from './index.ts'

type Values = Parameters<Throughline['resume']>[1]['values']

/** A customer at the desk: everything that the agents did, and the outcome of each turn. */
export async function atTheDesk() {
  const agents = deskAgents({ model: scriptedDesk(), paceMs: 0 })
  const app = await open({ store: 'memory:', agents, prices: { 'scripted-desk': PRICE } })
  onTestFinished(() => app.close())
  const follow = async (turn: AgentTurn<unknown, unknown>) => {
    const events: CallerEvent[] = []
    for await (const event of turn) events.push(event)
    return { events, turn, result: await turn.result }
  }
  return {
    app,
    say: (input: string) => follow(app.turn(THREAD, { agent: 'desk', input })),
    answer: (run: string, values: Values) => follow(app.resume(THREAD, { run, values })),
  }
}

export const THREAD = 'case-1'
const PRICE = { input: 1, output: 5 }
