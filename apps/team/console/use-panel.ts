import { useSyncExternalStore } from 'react'

/** What stands beside the conversation; `of` names the agent, file or session that it shows. */
export interface Panel {
  readonly name: PanelName
  readonly of: string
}

const NAMES = ['agent', 'documents', 'jobs', 'new-job', 'sessions', 'usage', 'screen'] as const
export type PanelName = (typeof NAMES)[number]

/** The panel that the address names, as in `#agent=Lyra`, so that Back closes it and a link can be sent. */
export function usePanel(): Panel | undefined {
  return panelIn(useSyncExternalStore(subscribe, () => location.hash))
}

export function panelIn(hash: string): Panel | undefined {
  const named = new URLSearchParams(hash.slice(1))
  const name = NAMES.find((each) => named.has(each))
  return name && { name, of: named.get(name) ?? '' }
}

/** The address of a panel, for a link. */
export function panelLink(name: PanelName, of = ''): string {
  return of === '' ? `#${name}` : `#${new URLSearchParams({ [name]: of }).toString()}`
}

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  addEventListener('popstate', onChange)
  return () => {
    removeEventListener('hashchange', onChange)
    removeEventListener('popstate', onChange)
  }
}
