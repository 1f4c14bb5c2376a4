import { decide } from 'throughline'
import type { AnyEventType, Domain, Refusal } from 'throughline'
import type { BrokerState } from '../case/index.ts'
import { barePayloads, payloadOf, shapeOf } from './payload-shape.ts'
import type { Bare, Payload } from './payload-shape.ts'

/** An event that a model may propose. */
export interface OfferedEvent {
  readonly type: string
  /** The shape of its data at present, for a model. */
  readonly shape: string
  /** Why the gate would refuse it now; an earlier event of the same message may mend that. */
  readonly refusedNow?: string
}

type Side = 'installer' | 'customer'

/** Says which events the gate would take from the model of one side. */
export class OfferedEvents {
  readonly #domain: Domain<BrokerState>
  readonly #side: Side
  readonly #payloads: readonly (readonly [type: string, payload: Payload])[]

  constructor(domain: Domain<BrokerState>, side: Side) {
    this.#domain = domain
    this.#side = side
    this.#payloads = [...domain.events]
      .filter(([, entry]) => mayEverPropose(entry, side))
      .map(([type, entry]) => [type, payloadOf(entry)])
  }

  /** Every type that the authority table gives this model in some state. */
  get types(): readonly string[] {
    return this.#payloads.map(([type]) => type)
  }

  /** The events that it may propose in this state, in the order of the domain. Pure. */
  on(state: BrokerState, nowMs: number): readonly OfferedEvent[] {
    return this.#payloads.flatMap(([type, payload]) => {
      const tried = barePayloads(payload).map((data) => ({
        data,
        refusal: this.#refusal(state, { type, data }, nowMs),
      }))
      const open = tried.filter(({ refusal }) => !refusal).map(({ data }) => data)
      if (open.length > 0) return [{ type, shape: shapeOf(payload, open) }]
      // Of several choices each is refused for a reason of its own: they are for another state.
      const [only] = tried.length === 1 ? tried : []
      if (only?.refusal?.refused !== 'precondition') return []
      return [{ type, shape: shapeOf(payload, []), refusedNow: only.refusal.detail }]
    })
  }

  #refusal(
    state: BrokerState,
    { type, data }: { readonly type: string; readonly data: Bare },
    now: number,
  ): Refusal | undefined {
    const origin = { source: 'model', surface: this.#side, depth: 0 } as const
    // A prompt cannot know whether the next message was typed; the gate will.
    const question = { proposal: { id: '', type, data, origin }, now, typed: true }
    const decision = decide(this.#domain, state, question)
    return 'refused' in decision ? decision : undefined
  }
}

function mayEverPropose({ by }: AnyEventType<BrokerState>, side: Side): boolean {
  return by.some(({ source, surface = side }) => source === 'model' && surface === side)
}
