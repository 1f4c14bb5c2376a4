import type { Origin } from 'throughline/log'

export type Side = 'customer' | 'installer' | 'broker'

/** On which side of a case something happened; the rest is the broker's. */
export function sideOf({ surface }: Origin): Side {
  return surface === 'customer' || surface === 'installer' ? surface : 'broker'
}

/** The origin of a record, and whether a page acted by itself. */
export type By = Origin & { readonly isPage?: true }

/** Names who caused a record: a person by their side, a model by whom it served, a rule by its number. */
export function whoOf(by: By): string {
  const { source, surface, rule } = by
  const person = PERSON.get(surface ?? '') ?? 'Person'
  if (by.isPage) return `${person}’s page`
  switch (source) {
    case 'ui':
      return person
    case 'model':
    case 'process':
    case 'remote':
      return modelOf(by)
    case 'rule':
      return `Rule ${rule ?? ''}`.trim()
    case 'system':
      return 'System'
  }
}

function modelOf({ surface, agent = 'unnamed' }: By): string {
  return surface === undefined ? `Model (${agent})` : `Model for the ${surface}`
}

const PERSON: ReadonlyMap<string, string> = new Map([
  ['customer', 'Customer'],
  ['installer', 'Installer'],
  ['auditor', 'Auditor'],
  ['operator', 'Operator'],
])
