import {
  Columns3,
  House,
  LayoutGrid,
  List,
  ListTree,
  Smartphone,
  Tablet,
  Users,
  UsersRound,
} from 'lucide'
import type { Command } from '../kit/index.ts'
import { dateTime, goTo, openPage, inBackground } from '../kit/index.ts'
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
    ...goTo('/studio/', { label: WORDS.threads, icon: List }),
    ...goTo(onDesk, { label: WORDS.desk, icon: Users }),
    ...goTo('/team', { label: WORDS.team, icon: UsersRound }),
    ...goTo('/components', { label: WORDS.components, icon: LayoutGrid }),
    ...keptCases().flatMap(caseCommands),
  ]
}

/** The start page asks for the operator's token, which the desk would refuse to do without. */
async function openDesk(): Promise<void> {
  openPage((await mayActAsOperator()) ? newDeskAddress() : '/')
}

function goToDesk(): void {
  inBackground(openDesk())
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
