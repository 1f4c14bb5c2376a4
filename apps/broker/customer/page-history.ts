import { addressWith } from '../../kit/index.ts'
import type { Changeable } from './answers.ts'
import type { Position } from './details/parts.ts'
import type { HistoryEntry, HistoryWrite } from './history-entries.ts'
import { readEntry, writesToOpen } from './history-entries.ts'
import type { JourneyPlace } from './steps.ts'

/** The sheets over the card; the address names the open one, so that Back closes it. */
export const SHEETS = ['ask', 'person', 'answers', 'refuse', 'withdraw', 'saved'] as const
export type SheetName = (typeof SHEETS)[number]

export interface HistoryState {
  readonly entry: HistoryEntry
  readonly sheet: SheetName | undefined
  /** The number of moves to another entry; a card after a move takes the focus. */
  readonly moves: number
}

const NO_SHEET = Object.fromEntries(SHEETS.map((name) => [name, undefined]))
const FOLLOWING: HistoryEntry = { place: 'handoff', shows: 'open' }

/**
 * Keeps the browser's history in step with the journey. The state is bound for `useSyncExternalStore`.
 * What the customer typed and the conversation are not in it.
 */
export class PageHistory {
  readonly #listeners = new Set<() => void>()
  #state: HistoryState = { ...shownNow(), moves: 0 }
  #isLeavingParts = false
  /** Escape and the button may both ask before the browser has gone back. */
  #isClosingSheet = false

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  readonly getSnapshot = (): HistoryState => this.#state

  /** Listens to Back and Forward until the function that it gives is called. */
  readonly listen = (): (() => void) => {
    // A card is as tall as it is: what the browser remembers of another one is of no use.
    history.scrollRestoration = 'manual'
    addEventListener('popstate', this.#publishMove)
    return () => removeEventListener('popstate', this.#publishMove)
  }

  /** Follows the case: an entry that shows the open question becomes the next one. */
  readonly follow = (open: JourneyPlace, answered: readonly JourneyPlace[]): void => {
    const { entry, sheet } = this.#state
    if (sheet !== undefined || entry.change || entry.shows === 'answered') return
    if (entry.part && entry.place !== open && this.#leaveParts(entry.part.depth)) return
    const writes = writesToOpen(readEntry(history.state), open, answered)
    for (const each of writes) write(each)
    if (writes.length > 0) this.#publish()
  }

  /** Goes from an answer to the question that is open. */
  readonly toOpen = (open: JourneyPlace, answered: readonly JourneyPlace[]): void => {
    for (const each of writesToOpen(this.#state.entry, open, answered)) write(each)
    this.#publishMove()
  }

  readonly openAgain = (card: Changeable, field?: string): void => {
    const change = { card, ...(field === undefined ? {} : { field }) }
    const { place, shows } = this.#state.entry
    const entry = { place, shows, change }
    // A sheet that the customer came through is not worth going back to.
    write({ way: isOwnSheet() ? 'replace' : 'push', entry })
    this.#publishMove()
  }

  readonly closeAgain = (): void => {
    const entry = readEntry(history.state)
    if (entry?.change) history.go(-1 - (entry.part?.depth ?? 0))
  }

  /** Notes which part of the details this entry shows, once it is an entry of the details. */
  readonly notePart = (position: Position): void => {
    const { entry } = this.#state
    if (entry.part || (entry.change?.card ?? entry.place) !== 'details') return
    history.replaceState(
      { ...currentState(), journey: { ...entry, part: { position, depth: 0 } } },
      '',
    )
    this.#publish()
  }

  /** Goes to a part of the details; Back leads to the one before. */
  readonly openPart = (position: Position): void => {
    const { entry } = this.#state
    const depth = (entry.part?.depth ?? 0) + 1
    write({ way: 'push', entry: { ...entry, part: { position, depth } } })
    this.#publishMove()
  }

  readonly openSheet = (name: SheetName): void => {
    const state = { ...currentState(), sheet: true }
    const address = addressWith({ ...NO_SHEET, [name]: '' })
    if (isOwnSheet()) history.replaceState(state, '', address)
    else history.pushState(state, '', address)
    // This sheet replaces the card.
    if (name === 'saved') this.#publishMove()
    else this.#publish()
  }

  /** Closes this sheet, unless another one has replaced it. */
  readonly closeSheet = (name: SheetName): void => {
    if (this.#state.sheet !== name) return
    if (isOwnSheet()) {
      if (!this.#isClosingSheet) history.back()
      this.#isClosingSheet = true
      return
    }
    history.replaceState(currentState(), '', addressWith(NO_SHEET))
    this.#publish()
  }

  /** Goes back to the first part, whose entry becomes the answered one; the others are gone with it. */
  #leaveParts(depth: number): boolean {
    if (depth > 0 && !this.#isLeavingParts) history.go(-depth)
    this.#isLeavingParts = depth > 0
    return this.#isLeavingParts
  }

  readonly #publishMove = (): void => {
    this.#isLeavingParts = false
    this.#isClosingSheet = false
    this.#publish(this.#state.moves + 1)
  }

  #publish(moves = this.#state.moves): void {
    this.#state = { ...shownNow(), moves }
    for (const notify of this.#listeners) notify()
  }
}

function shownNow(): Pick<HistoryState, 'entry' | 'sheet'> {
  const named = new URLSearchParams(location.hash.slice(1))
  const sheet = SHEETS.find((name) => named.has(name))
  return { entry: readEntry(history.state) ?? FOLLOWING, sheet }
}

function write({ way, entry }: HistoryWrite): void {
  const state = { journey: entry }
  if (way === 'push') history.pushState(state, '', addressWith(NO_SHEET))
  else history.replaceState(state, '', addressWith(NO_SHEET))
}

/** Whether the entry that is shown was added for its sheet. */
function isOwnSheet(): boolean {
  return 'sheet' in currentState()
}

function currentState(): object {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null ? state : {}
}
