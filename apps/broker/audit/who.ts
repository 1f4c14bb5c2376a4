import type { Origin } from 'throughline/log'

export type Side = 'customer' | 'installer' | 'broker'

/** On which side of a case something happened; what stands on neither person's side is the broker's. */
export function sideOf({ surface }: Origin): Side {
  return surface === 'customer' || surface === 'installer' ? surface : 'broker'
}

/** Names who caused a record: a person by their side, a model by whom it served, a rule by its number. */
export function whoOf(origin: Origin): string {
  const { source, surface, agent, rule } = origin
  switch (source) {
    case 'ui':
      return PERSON.get(surface ?? '') ?? 'Person'
    case 'model':
    case 'process':
    case 'remote':
      return `Model (${surface ?? agent ?? 'unnamed'})`
    case 'rule':
      return `Rule ${rule ?? ''}`.trim()
    case 'system':
      return 'System'
  }
}

const PERSON: ReadonlyMap<string, string> = new Map([
  ['customer', 'Customer'],
  ['installer', 'Installer'],
  ['auditor', 'Auditor'],
  ['operator', 'Operator'],
])
