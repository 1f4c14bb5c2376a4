import type { GateProposal } from '../gate/index.ts'
import type { Agent } from './agent.ts'

/** Refuses the proposals that an agent may not make, before the domain decides on the others. */
export function withinEmits<State>(
  { name, emits }: Pick<Agent<State>, 'name' | 'emits'>,
  proposals: readonly GateProposal[],
): readonly GateProposal[] {
  if (!emits) return proposals
  const allowed = emits.length === 0 ? 'nothing' : emits.map((type) => `"${type}"`).join(', ')
  return proposals.map((proposal) => {
    if (proposal.refused || emits.includes(proposal.type)) return proposal
    const detail = `the agent "${name}" may not propose "${proposal.type}": it emits ${allowed}`
    return { ...proposal, refused: { refused: 'not_authorised', detail } }
  })
}
