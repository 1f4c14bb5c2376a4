import { actorOf } from '../kit/index.ts'
import type { Actor } from '../kit/index.ts'
import { isOfSides } from './sides.ts'
import type { Sides } from './sides.ts'
import { whoOf } from './story/index.ts'
import type { Told } from './story/index.ts'

export const ACTORS = ['person', 'model', 'rule', 'system'] as const satisfies readonly Actor[]

export const TABS = ['thread', 'runs', 'compare', 'what-if'] as const
export type Tab = (typeof TABS)[number]

/** A record of a thread, the one after which something is looked at. */
export interface Point {
  readonly thread: string
  readonly seq: number
}

/** The page's view of a thread; its address holds all of it. */
export interface AuditQuery {
  readonly tab: Tab
  readonly view: 'mattered' | 'all'
  /** Empty for all actors. */
  readonly who: readonly Actor[]
  readonly sides: readonly string[]
  readonly text: string
  /** The selected record. */
  readonly ev: number | undefined
  /** The first record of an older window; absent at the end of the thread. */
  readonly from: number | undefined
  /** JSON pointers into the state whose values stand beside the rows. */
  readonly watched: readonly string[]
  /** What the selected record is compared with. */
  readonly other: Point | undefined
  /** The id of a fork of the thread. */
  readonly fork: string | undefined
}

/** Paths that are watched at once. */
export const WATCHED_MAX = 3
const WATCHED_CHARS_MAX = 200

export const NO_FILTERS = { who: [], sides: [], text: '' } as const satisfies Partial<AuditQuery>

export const TEXT_MAX = 200
const SIDES_MAX = 10

export function readQuery(search: string): AuditQuery {
  const given = new URLSearchParams(search)
  const chosen = (name: string) => (given.get(name) ?? '').split(',')
  return {
    tab: TABS.find((tab) => tab === given.get('tab')) ?? 'thread',
    view: given.get('view') === 'all' ? 'all' : 'mattered',
    who: ACTORS.filter((actor) => chosen('who').includes(actor)),
    sides: chosen('side')
      .filter((side) => /^\w{1,40}$/.test(side))
      .slice(0, SIDES_MAX),
    text: (given.get('q') ?? '').slice(0, TEXT_MAX),
    ev: seqIn(given.get('ev')),
    from: seqIn(given.get('from')),
    watched: given
      .getAll('watch')
      .filter((path) => path.startsWith('/') && path.length <= WATCHED_CHARS_MAX)
      .slice(0, WATCHED_MAX),
    other: pointIn(given.get('with')),
    fork: /^[0-9a-f]{32}$/.exec(given.get('fork') ?? '')?.[0],
  }
}

function seqIn(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** A point as an address holds it, such as `case-7@33`. */
export function pointIn(text: string | null): Point | undefined {
  const at = text?.lastIndexOf('@') ?? -1
  const seq = seqIn(text?.slice(at + 1) ?? null)
  return text && at > 0 && seq !== undefined ? { thread: text.slice(0, at), seq } : undefined
}

/** The query part of an address; empty when nothing differs from how the page opens. */
export function writeQuery(query: AuditQuery): string {
  const { tab, view, who, sides, text, ev, from, watched, other, fork } = query
  const parts = new URLSearchParams()
  if (tab !== 'thread') parts.set('tab', tab)
  if (view === 'all') parts.set('view', view)
  if (who.length > 0) parts.set('who', who.join(','))
  if (sides.length > 0) parts.set('side', sides.join(','))
  if (text !== '') parts.set('q', text)
  if (ev !== undefined) parts.set('ev', `${ev}`)
  if (from !== undefined) parts.set('from', `${from}`)
  for (const path of watched) parts.append('watch', path)
  if (fork !== undefined) parts.set('fork', fork)
  if (other) parts.set('with', `${other.thread}@${other.seq}`)
  return parts.size === 0 ? '' : `?${parts}`
}

/** Returns the items of a view that match every filter. */
export function matching(
  story: readonly Told[],
  query: AuditQuery,
  sides: Sides | undefined,
): readonly Told[] {
  const { who } = query
  const text = query.text.trim().toLowerCase()
  return inView(story, query.view).filter(
    (told) =>
      (who.length === 0 || who.includes(actorOf(told.by))) &&
      isOfSides(told.by, query.sides, sides) &&
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
