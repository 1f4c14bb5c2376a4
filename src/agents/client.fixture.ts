import { z } from 'zod'
import { scriptedModel } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import type { Agent } from './define/agent.ts'
import type { ClientTool } from './index.ts'
import { tool } from './define/tool.ts'
import type { Json } from '../json/index.ts'
import { calling } from './runs.fixture.ts'

/** A tool that the client runs. */
export const locate: ClientTool = {
  name: 'locate',
  description: 'Says where the device is.',
  parameters: { type: 'object', properties: { precise: { type: 'boolean' } } },
}

/** Makes some calls after each message of a person, and then reports their results. */
export function caller(
  calls: readonly (readonly [name: string, input?: unknown])[],
  parts: Partial<Parameters<typeof defineAgent<Json>>[0]> = {},
): Agent<Json> {
  const model = scriptedModel(({ messages }) => {
    const last = messages.findLastIndex(({ role }) => role === 'user')
    const results = messages.slice(last).filter(({ role }) => role === 'tool')
    if (results.length === 0) return calling(...calls)
    return `Got ${results.map(({ text }) => text).join(', ')}`
  })
  return defineAgent<Json>({ name: 'guide', model, ...parts })
}

/** A tool that needs approval, with the amounts that it was run with. */
export function approvedPay() {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: true,
    execute: ({ amount }) => {
      paid.push(amount)
      return `paid ${amount}`
    },
  })
  return { paid, pay }
}
