import type { GateProposal } from '../../gate/index.ts'
import { quotedNames } from '../../json/index.ts'
import type { Agent } from '../define/agent.ts'

type Proposer<State> = Pick<Agent<State>, 'name' | 'emits' | 'proposes'>

/**
 * Refuses the proposals that an agent may not make, before the domain decides on the others. `tool` is the
 * name of the tool that makes them; without it they are the model's own.
 */
export function withinEmits<State>(
  agent: Proposer<State>,
  proposals: readonly GateProposal[],
  tool?: string,
): readonly GateProposal[] {
  return proposals.map((proposal) => {
    const why = proposal.refused ? undefined : denial(agent, proposal.type, tool)
    if (why === undefined) return proposal
    const detail = `the agent "${agent.name}" may not propose "${proposal.type}": ${why}`
    return { ...proposal, refused: { refused: 'not_authorised', detail } }
  })
}

function denial<State>(
  { emits, proposes }: Proposer<State>,
  type: string,
  tool: string | undefined,
): string | undefined {
  const tools = [...proposes].flatMap(([name, types]) => (types.includes(type) ? [name] : []))
  if (tool !== undefined && tools.includes(tool)) return undefined
  if (tools.length > 0) return `only its tool ${quotedNames(tools)} may`
  if (!emits || emits.includes(type)) return undefined
  return `it emits ${quotedNames(emits) || 'nothing'}`
}
