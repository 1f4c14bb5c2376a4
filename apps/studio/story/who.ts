import type { Origin } from 'throughline/client'
import { sentenceCase } from './sentence.ts'

/** The origin of a record, and whether a page acted by itself. */
export type By = Origin & { readonly isPage?: true }

/** Names who caused a record: a person by their page, a model by whom it served, a rule by its number. */
export function whoOf(by: By): string {
  const { source, surface, rule } = by
  const person = surface === undefined ? 'Person' : sentenceCase(surface)
  if (by.isPage) return `${person}’s page`
  switch (source) {
    case 'ui':
      return person
    case 'model':
      return modelOf(by)
    case 'process':
    case 'remote':
      return by.agent === undefined ? programOf(by) : modelOf(by)
    case 'rule':
      return `Rule ${rule ?? ''}`.trim()
    case 'system':
      return 'System'
  }
}

/** Of another program, such as the sender of a webhook. */
function programOf({ surface }: By): string {
  return surface === undefined ? 'Another program' : `Another program (${surface})`
}

function modelOf({ surface, agent = 'unnamed' }: By): string {
  return surface === undefined ? `Model (${agent})` : `Model for the ${surface}`
}
