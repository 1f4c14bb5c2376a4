import type { EventLog } from '../../log/index.ts'
import { RoleGenerations } from './role-generations.ts'
import type { Grant, IssuedGrant, Tokens } from './tokens.ts'

/** Issues every token of a thread, under the current generation of its role. */
export class TokenIssuer {
  readonly #tokens: Tokens
  readonly #generations: RoleGenerations

  constructor({ tokens, log }: { readonly tokens: Tokens; readonly log: EventLog }) {
    this.#tokens = tokens
    this.#generations = new RoleGenerations(log)
  }

  async issue(grant: Grant): Promise<IssuedGrant & { readonly token: string }> {
    const generation = await this.#generations.current(grant)
    return this.#tokens.issue({ ...grant, generation })
  }
}
