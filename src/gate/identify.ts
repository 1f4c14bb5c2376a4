import type { CommitOptions } from './commit.ts'
import type { GateProposal } from './plan.ts'
import { stableId } from './stable-id.ts'

/** A proposal for a commit; the gate gives a fresh id to one that has none. */
export type Proposed = Omit<GateProposal, 'id'> & { readonly id?: string | undefined }

/** A proposal with its id. A thread cannot hold an id that the gate has just made. */
export interface Identified extends GateProposal {
  readonly idFrom: 'caller' | 'gate'
}

/** Gives each proposal its id; under a key, a repeat of the request gets the same ids. */
export function identify(
  proposals: readonly Proposed[],
  { request }: Pick<CommitOptions, 'request'>,
  newId: () => string,
): readonly Identified[] {
  return proposals.map((proposal, index) => {
    const id = proposal.id ?? (request && stableId(request.id, String(index)))
    if (id === undefined) return { ...proposal, id: newId(), idFrom: 'gate' }
    // The log stores ids in small letters.
    return { ...proposal, id: id.toLowerCase(), idFrom: 'caller' }
  })
}
