import { linksOf } from '../case-links.ts'
import type { CaseLinks } from '../case-links.ts'

export type PaneName = keyof CaseLinks

export interface PanePage {
  readonly name: PaneName
  /** Opens the page in this browser. */
  readonly href: string
  /** The same with the token of its role, while the address brings one. */
  readonly entry: string
}

const NAMES: readonly PaneName[] = ['installer', 'customer', 'audit']

/** In `/demonstration/<case>`. */
const CASE_SEGMENT = 2

/** Takes the tokens of the three pages out of the address, where they would otherwise stay. */
export function takePanePages(): readonly PanePage[] {
  const sessionId = decodeURIComponent(location.pathname.split('/')[CASE_SEGMENT] ?? '')
  const tokens = new URLSearchParams(location.hash.slice(1))
  history.replaceState(history.state, '', location.pathname)
  const links = linksOf(sessionId)
  return NAMES.map((name) => {
    const [href, token] = [links[name], tokens.get(name)]
    return {
      name,
      href,
      entry: token === null ? href : `${href}#${new URLSearchParams({ token })}`,
    }
  })
}
