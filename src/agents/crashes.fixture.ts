import { z } from 'zod'
import { tool } from './define/tool.ts'

/** The points that any of the tests on crashes may have at most. */
export const POINTS_MAX = 60

/** Called at each labelled point of a turn. */
export type AtPoint = (point: string) => Promise<void>

export const nowhere: AtPoint = async () => undefined

/** Stops for ever at one of the points that are passed, as a process does that dies there. */
export function crashAt(fatal: number): { readonly at: AtPoint; readonly died: Promise<'died'> } {
  const { promise: died, resolve } = Promise.withResolvers<'died'>()
  let passed = 0
  const at = async (): Promise<void> => {
    if (++passed < fatal) return
    resolve('died')
    await new Promise(() => undefined)
  }
  return { at, died }
}

/** A payment that needs an approval; `paid` gets the id of each call that was paid. */
export function payment(paid: string[], at: AtPoint) {
  return tool({
    inputSchema: z.object({}),
    needsApproval: true,
    execute: async (_input, { toolCallId }) => {
      await at('before the payment')
      paid.push(toolCallId)
      await at('after the payment')
      return 'paid'
    },
  })
}
