import { startOf } from '../json/index.ts'
import type { JsonObject } from '../json/index.ts'
import { decide, evolve, reconcile } from '../domain/index.ts'
import type {
  DecideContext,
  Decision,
  DecidedEvent,
  Domain,
  LibraryRecord,
  Proposal,
  Refusal,
} from '../domain/index.ts'
import { encodeJson, faultOf } from '../log/index.ts'
import type { Sha256 } from '../log/index.ts'
import { foldCauses } from '../thread/index.ts'
import type { Snapshot } from '../thread/index.ts'

/**
 * A proposal on its way to the gate. `raw` is its text as it arrived, for the digest of a refusal;
 * `refused` is set when the reader already knows that it cannot pass (a malformed tag, an echo).
 */
export interface GateProposal extends Proposal {
  readonly raw?: string
  readonly refused?: Refusal
}

export interface PlanContext {
  readonly now: number
  readonly id: () => string
  readonly sha256: Sha256
  readonly typed: boolean
  readonly pass: 'derive' | 'submit'
}

/** The events that a commit is about to append. */
export interface Planned<State> {
  /** After the rules. */
  readonly state: State
  /** One event for each new proposal, in order: itself, or its `event_refused`. */
  readonly decided: readonly DecidedEvent[]
  /** The events that the rules added. */
  readonly derived: readonly DecidedEvent[]
  readonly fired: readonly string[]
}

/** The longest proposed type that a refusal repeats; longer ones are cut. */
export const REFUSED_TYPE_MAX = 128

/** The longest text of a proposal whose refusal keeps its data, so that it can be decided again. */
export const REFUSED_PROPOSAL_CHARS_MAX = 4_096

/** Works out what proposals amount to on a snapshot, rules included, without appending. Pure. */
export function plan<State>(
  domain: Domain<State>,
  snapshot: Snapshot<State>,
  request: { readonly proposals: readonly GateProposal[] } & PlanContext,
): Planned<State> {
  if (snapshot.isErased) return { state: snapshot.state, decided: [], derived: [], fired: [] }
  const decided: DecidedEvent[] = []
  let { state, causes } = snapshot
  for (const proposal of request.proposals) {
    const decision = proposal.refused ?? decideStorable(domain, state, { proposal, ...request })
    const accepted = 'accepted' in decision
    const event = accepted
      ? decision.accepted
      : refusalEvent(domain, { proposal, decision, ...request })
    decided.push(event)
    causes = foldCauses(domain, causes, event)
    if (accepted) state = evolve(domain, state, event)
  }
  const settled = reconcile(domain, state, { ...request, causes })
  return { state: settled.state, decided, derived: settled.events, fired: settled.fired }
}

/** Refuses also what a schema accepts and no log can hold, such as `1e400` or a function. */
function decideStorable<State>(
  domain: Domain<State>,
  state: State,
  question: { readonly proposal: GateProposal } & DecideContext,
): Decision {
  const decision = decide(domain, state, question)
  const fault = 'accepted' in decision ? faultOf(decision.accepted) : undefined
  if (!fault) return decision
  const refused = fault.code === 'too_large' ? fault.code : 'invalid_payload'
  return { refused, detail: fault.message }
}

function refusalEvent<State>(
  domain: Domain<State>,
  { proposal, decision, now, sha256 }: RefusedProposal & Pick<PlanContext, 'now' | 'sha256'>,
): DecidedEvent {
  const raw = proposal.raw ?? textOfProposal(proposal)
  return {
    id: proposal.id,
    ts: now,
    type: 'event_refused' satisfies LibraryRecord,
    data: {
      type: startOf(proposal.type, REFUSED_TYPE_MAX),
      reason: decision.refused,
      detail: decision.detail,
      digest: sha256(raw),
      source: proposal.origin.source,
      ...(raw.length <= REFUSED_PROPOSAL_CHARS_MAX && keptProposal(domain, proposal)),
    },
    origin: proposal.origin,
    v: 1,
  }
}

interface RefusedProposal {
  readonly proposal: GateProposal
  readonly decision: Refusal
}

/** The data of a type that this domain declares to hold nothing personal. */
function keptProposal<State>(
  { events }: Domain<State>,
  { type, data }: GateProposal,
): JsonObject | undefined {
  const entry = events.get(type)
  if (!entry || entry.personal) return undefined
  try {
    return { proposal: encodeJson(data, 'data').value }
  } catch {
    // No log can hold it: the refusal keeps its digest.
    return undefined
  }
}

/** A refusal of a value that JSON has no text for has a digest, too. */
function textOfProposal({ type, data }: GateProposal): string {
  const textual = (_name: string, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value
  try {
    return JSON.stringify({ type, data }, textual)
  } catch {
    // The data is circular, nested too deeply, or throws when it is read.
    return JSON.stringify({ type })
  }
}
