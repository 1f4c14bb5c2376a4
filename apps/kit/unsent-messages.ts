import { membersOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import type { PageEntry } from './enter-page.ts'
import { keepInTab, keptInTab } from './tab-storage.ts'

/** A message of which the page does not know that the server has it. */
export interface UnsentMessage {
  readonly text: string
  /** The key that it went under, so that sent again it is not said twice. */
  readonly key: string
  /** The last seq that the page had when it was written. */
  readonly after: number
  /** Written offline: the page sends it once it is connected. */
  readonly waits?: true
}

/** Keeps them for as long as the tab is open: what a person wrote outlives a reload. */
export function keepUnsent(entry: PageEntry, messages: readonly UnsentMessage[]): void {
  keepInTab(placeOf(entry), messages.length === 0 ? undefined : JSON.stringify(messages))
}

export function keptUnsent(entry: PageEntry): readonly UnsentMessage[] {
  const kept = keptInTab(placeOf(entry))
  const messages = kept === undefined ? [] : (JSON.parse(kept) as Json)
  return Array.isArray(messages) ? messages.flatMap(readUnsent) : []
}

function readUnsent(message: Json): readonly UnsentMessage[] {
  const { text, key, after, waits } = membersOf(message)
  const isWhole = typeof text === 'string' && typeof key === 'string' && typeof after === 'number'
  return isWhole ? [{ text, key, after, ...(waits === true && { waits }) }] : []
}

function placeOf({ thread, role }: PageEntry): string {
  return `unsent ${role} ${thread}`
}
