import { kindOf, whyNotAtOnce } from '../../json/index.ts'

/** The parts of an agent that may be functions. A program without types may give anything. */
export interface AgentFunctions {
  readonly agents?: unknown
  readonly handoffs?: unknown
  readonly instructions?: unknown
  readonly notes?: unknown
  readonly annotations?: unknown
}

/** Says why one of an agent's functions cannot be used; `undefined` when all can. */
export function whyUnfitFunction({
  agents,
  handoffs,
  instructions,
  notes,
  annotations,
}: AgentFunctions): string | undefined {
  if (!['undefined', 'string', 'function'].includes(typeof instructions)) {
    const mend = 'a text, or a function that returns one'
    return `its \`instructions\` must be ${mend}, and are ${kindOf(instructions)}`
  }
  for (const [part, given] of Object.entries({ agents, handoffs })) {
    if (['undefined', 'a list', 'a function'].includes(kindOf(given))) continue
    return `its \`${part}\` must be a list, or a function that returns one, and is ${kindOf(given)}`
  }
  return (
    whyNotAtOnce('instructions', typeof instructions === 'string' ? undefined : instructions) ??
    whyNotAtOnce('notes', notes) ??
    whyNotAtOnce('annotations', annotations)
  )
}

/** The same of a tool's functions. `execute` may return anything. */
export function whyUnfitTool({
  approval,
  execute,
}: {
  readonly approval?: unknown
  readonly execute?: unknown
}): string | undefined {
  const why = whyNotAtOnce('approval', approval)
  if (why !== undefined || execute === undefined || typeof execute === 'function') return why
  return `its \`execute\` must be a function, and is ${kindOf(execute)}`
}

/** Whether `defineAgent` made an agent: a program without types may give its parts. */
export function isAgent(given: { readonly agents: unknown } | null | undefined): boolean {
  return typeof given?.agents === 'function' && 'proposes' in given
}
