import type { GateProposal } from '../gate/index.ts'
import type { Agent } from './agent.ts'

/** Refuses the proposals that an agent may not make, before the domain decides on the others. */
export function withinEmits<State>(
  { name, emits }: Pick<Agent<State>, 'name' | 'emits'>,
  proposals: readonly GateProposal[],
): readonly GateProposal[] {
  if (!emits) return proposals
  const detail = `the agent "${name}" does not emit it`
  return proposals.map((proposal) =>
    proposal.refused || emits.includes(proposal.type)
      ? proposal
      : { ...proposal, refused: { refused: 'not_authorised' as const, detail } },
  )
}
