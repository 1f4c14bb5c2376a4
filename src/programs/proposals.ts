import { isJsonObject, shortJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { GateProposal } from '../gate/index.ts'
import type { Origin } from '../log/index.ts'
import { REMOTE_PROPOSALS_MAX, REMOTE_VALUE_CHARS_MAX } from './limits.ts'
import { streamRefused } from './program-error.ts'

/** The CUSTOM event by which a program proposes an event of the domain: `{ type, data }`. */
export const PROPOSE = 'throughline.propose'

/** The proposals of one stream. The agent's `emits` and the gate decide, once the stream ended well. */
export class Proposals {
  readonly list: GateProposal[] = []
  readonly #origin: Origin
  readonly #id: () => string

  constructor({ origin, id }: { readonly origin: Origin; readonly id: () => string }) {
    this.#id = id
    // A program has the same authority as the models of the domain's agents.
    this.#origin = { ...origin, source: 'model' }
  }

  take(value: Json): void {
    if (this.list.length >= REMOTE_PROPOSALS_MAX) {
      throw streamRefused('too_many', `it proposes more than ${REMOTE_PROPOSALS_MAX} events`)
    }
    this.list.push(this.#proposal(value))
  }

  #proposal(value: Json): GateProposal {
    const raw = shortJson(value, REMOTE_VALUE_CHARS_MAX)
    const base = { id: this.#id(), origin: this.#origin, raw }
    const members = isJsonObject(value) ? value : {}
    const { type, data } = members
    if (typeof type !== 'string' || data === undefined) {
      const detail = 'a proposal is { "type": "…", "data": … }'
      return { ...base, type: '', data: null, refused: { refused: 'malformed', detail } }
    }
    if (raw.length < JSON.stringify(value).length) {
      const detail = `it is longer than ${REMOTE_VALUE_CHARS_MAX} characters`
      return { ...base, type, data: null, refused: { refused: 'too_large', detail } }
    }
    return { ...base, type, data }
  }
}
