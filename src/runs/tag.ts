import type { Origin } from '../log/index.ts'

/** What AG-UI wants on each event of a sub-agent: whose it is. */
export function tagOf({ depth, run }: Origin): { readonly subagentRunId?: string } {
  return depth > 0 && run !== undefined ? { subagentRunId: run } : {}
}
