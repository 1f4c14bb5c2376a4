import { kindOf, whyNotAtOnce } from '../../json/index.ts'

/** The parts of an agent that may be functions. A program without types may give anything. */
export interface AgentFunctions {
  readonly instructions?: unknown
  readonly notes?: unknown
  readonly annotations?: unknown
}

/** Says why one of an agent's functions cannot be used; `undefined` when all can. */
export function whyUnfitFunction({
  instructions,
  notes,
  annotations,
}: AgentFunctions): string | undefined {
  if (!['undefined', 'string', 'function'].includes(typeof instructions)) {
    const mend = 'a text, or a function that returns one'
    return `its \`instructions\` must be ${mend}, and are ${kindOf(instructions)}`
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
