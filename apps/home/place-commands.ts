import {
  Columns3,
  House,
  LayoutGrid,
  ListTree,
  Smartphone,
  Tablet,
  Users,
  UsersRound,
} from 'lucide'
import type { Command } from '../kit/index.ts'
import { dateTime } from '../kit/index.ts'
import { demonstrationAddress, linksOf } from './case-links.ts'
import { newDeskAddress } from './desk-address.ts'
import type { KeptCase } from './kept-cases.ts'
import { keptCases } from './kept-cases.ts'
import { mayActAsOperator } from './operator.ts'
import { PLACE_WORDS as WORDS } from './place-words.ts'

/** The places that a person can go to from any operators' page, but for the page itself. */
export function placeCommands(onDesk: () => void = goToDesk): readonly Command[] {
  return [
    ...goTo('/', { label: WORDS.start, icon: House }),
    { group: WORDS.places, label: WORDS.desk, icon: Users, run: onDesk },
    ...goTo('/team', { label: WORDS.team, icon: UsersRound }),
    ...goTo('/components', { label: WORDS.components, icon: LayoutGrid }),
    ...keptCases().flatMap(caseCommands),
  ]
}

/** None for the page that is open. */
export function goTo(href: string, place: Place): readonly Command[] {
  const isHere = href === location.pathname
  return isHere ? [] : [{ group: WORDS.places, ...place, run: () => openPage(href) }]
}

type Place = Pick<Command, 'label' | 'icon'> & Partial<Pick<Command, 'group' | 'hint'>>

/** The start page asks for the operator's token, which the desk would refuse to do without. */
async function openDesk(): Promise<void> {
  openPage((await mayActAsOperator()) ? newDeskAddress() : '/')
}

/** A demonstration shows three pages in frames: another place replaces all of them. */
function openPage(href: string): void {
  ;(window.top ?? window).location.assign(href)
}

function goToDesk(): void {
  void openDesk()
}

function caseCommands({ sessionId, kind, startedAt }: KeptCase): readonly Command[] {
  const { installer, customer, audit } = linksOf(sessionId)
  const pages = [
    ...(kind === 'demonstration'
      ? ([[demonstrationAddress(sessionId), WORDS.together, Columns3]] as const)
      : []),
    [audit, WORDS.audit, ListTree],
    [installer, WORDS.installer, Tablet],
    [customer, WORDS.customer, Smartphone],
  ] as const
  const hint = WORDS.started(dateTime(startedAt))
  return pages.flatMap(([href, label, icon]) =>
    goTo(href, { group: WORDS.cases, label, icon, hint }),
  )
}
