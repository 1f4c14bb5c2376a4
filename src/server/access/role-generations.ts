import type { EventLog } from '../../log/index.ts'
import { stableId } from '../../gate/index.ts'
import { NewestMap } from '../../thread/index.ts'
import type { Grant } from './tokens.ts'

/** Roles in threads whose generations are cached; the oldest are looked up again. */
const GENERATIONS_CACHED_MAX = 10_000

/**
 * Counts how often the tokens of a role were revoked in a thread. The record that begins a
 * generation has an id made from thread, role and number, so two servers that revoke at once begin
 * the same one, and the log says which is current whatever any clock says.
 */
export class RoleGenerations {
  readonly #log: EventLog
  readonly #cached = new NewestMap<number>(GENERATIONS_CACHED_MAX)

  constructor(log: EventLog) {
    this.#log = log
  }

  async current(grant: Grant): Promise<number> {
    const name = JSON.stringify([grant.thread, grant.role])
    let generation = this.#cached.get(name) ?? 0
    while (await this.#log.find(grant.thread, generationEndId(grant, generation))) generation++
    // Most roles were never revoked, and one look-up finds that out.
    if (generation > 0) this.#cached.set(name, generation)
    return generation
  }
}

/** The id of the record that ends a generation and begins the next one. */
export function generationEndId({ thread, role }: Grant, generation: number): string {
  return stableId('token_revoked', thread, role, String(generation))
}
