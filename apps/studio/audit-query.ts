import { sideOf, whoOf } from '../broker/audit/who.ts'
import type { Side } from '../broker/audit/who.ts'
import type { Told } from '../broker/audit/story.ts'
import { actorOf } from '../kit/index.ts'
import type { Actor } from '../kit/index.ts'

export const ACTORS = ['person', 'model', 'rule', 'system'] as const satisfies readonly Actor[]
export const SIDES = ['customer', 'installer', 'broker'] as const satisfies readonly Side[]

/** The page's view of a thread; its address holds all of it. */
export interface AuditQuery {
  readonly view: 'mattered' | 'all'
  /** None chosen: every actor. */
  readonly who: readonly Actor[]
  readonly sides: readonly Side[]
  readonly text: string
  /** The selected record. */
  readonly ev: number | undefined
}

export const NO_FILTERS = { who: [], sides: [], text: '' } as const satisfies Partial<AuditQuery>

export const TEXT_MAX = 200

export function readQuery(search: string): AuditQuery {
  const given = new URLSearchParams(search)
  const chosen = (name: string) => (given.get(name) ?? '').split(',')
  const ev = given.get('ev') ?? ''
  return {
    view: given.get('view') === 'all' ? 'all' : 'mattered',
    who: ACTORS.filter((actor) => chosen('who').includes(actor)),
    sides: SIDES.filter((side) => chosen('side').includes(side)),
    text: (given.get('q') ?? '').slice(0, TEXT_MAX),
    ev: /^\d{1,9}$/.test(ev) ? Number(ev) : undefined,
  }
}

/** The query part of an address; empty when nothing differs from how the page opens. */
export function writeQuery({ view, who, sides, text, ev }: AuditQuery): string {
  const parts = new URLSearchParams()
  if (view === 'all') parts.set('view', view)
  if (who.length > 0) parts.set('who', who.join(','))
  if (sides.length > 0) parts.set('side', sides.join(','))
  if (text !== '') parts.set('q', text)
  if (ev !== undefined) parts.set('ev', `${ev}`)
  return parts.size === 0 ? '' : `?${parts}`
}

/** Those of a view that match every filter. */
export function matching(story: readonly Told[], query: AuditQuery): readonly Told[] {
  const { who, sides } = query
  const text = query.text.trim().toLowerCase()
  return inView(story, query.view).filter(
    (told) =>
      (who.length === 0 || who.includes(actorOf(told.by.source))) &&
      (sides.length === 0 || sides.includes(sideOf(told.by))) &&
      (text === '' || textOf(told).includes(text)),
  )
}

/** Whether only the view of all shows the selected record. */
export function isOnlyInAll(story: readonly Told[], { ev }: AuditQuery): boolean {
  return story.some(({ record, weight }) => record.seq === ev && weight === 'background')
}

export function inView(story: readonly Told[], view: AuditQuery['view']): readonly Told[] {
  return view === 'all' ? story : story.filter(({ weight }) => weight === 'mattered')
}

function textOf({ record, sentences, by, recovered = [] }: Told): string {
  const facts = recovered.map(({ summary }) => summary)
  const data = JSON.stringify(record.data)
  return [...sentences, ...facts, whoOf(by), record.type, data].join('\n').toLowerCase()
}
