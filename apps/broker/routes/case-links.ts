import type { TokenIssuer } from 'throughline/server/extend'

const PAGES = { installer: 'installer', customer: 'customer', auditor: 'audit' } as const

type CaseLinkRole = keyof typeof PAGES

export interface CaseLinksParts {
  readonly issuer: TokenIssuer
  /** The origin of the links; without it they are paths. */
  readonly publicUrl?: string
}

/** Makes the tokens and links by which people enter a case. */
export class CaseLinks {
  readonly #parts: CaseLinksParts

  constructor(parts: CaseLinksParts) {
    this.#parts = parts
  }

  async token(thread: string, role: CaseLinkRole): Promise<string> {
    return (await this.#parts.issuer.issue({ thread, role })).token
  }

  /** The fragment holds the token, so no server log has it. */
  async link(thread: string, role: CaseLinkRole): Promise<string> {
    const { publicUrl = '' } = this.#parts
    return `${publicUrl}/${PAGES[role]}/${thread}#token=${await this.token(thread, role)}`
  }
}
