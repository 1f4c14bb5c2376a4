import { useState } from 'react'
import { keepInBrowser, keptInBrowser } from './browser-storage.ts'
import { keepInTab, keptInTab } from './tab-storage.ts'

type Fields = Readonly<Record<string, string>>

/**
 * State that outlives a reload, for what a person fills in: for as long as the tab is open, or between
 * visits with this browser. `clear` forgets the stored values, once they are recorded.
 */
export function useDraft<Draft extends Fields>(
  key: string,
  initial: Draft,
  until: 'tab closes' | 'next visits' = 'tab closes',
): readonly [draft: Draft, setDraft: (draft: Draft) => void, clear: () => void] {
  const [draft, setDraft] = useState(() => ({ ...initial, ...stored(key, initial) }))
  const keep = (next: Draft): void => {
    setDraft(next)
    const changes = changesOf(next, initial)
    const text = Object.keys(changes).length === 0 ? undefined : JSON.stringify(changes)
    const isKept = until === 'next visits' && keepInBrowser(key, text) === 'kept'
    keepInTab(key, isKept ? undefined : text)
  }
  return [draft, keep, () => forgetDraft(key)]
}

/** Forgets a draft whose form was left without sending it. */
export function forgetDraft(key: string): void {
  keepInTab(key, undefined)
  keepInBrowser(key, undefined)
}

/** Returns which storage holds a form's typed values, if any. */
export function placeOfDraft(key: string): 'browser' | 'tab' | undefined {
  if (keptInBrowser(key) !== undefined) return 'browser'
  return keptInTab(key) === undefined ? undefined : 'tab'
}

/** An untouched field is not kept: a later visit may know it better. */
function changesOf(draft: Fields, initial: Fields): Fields {
  return Object.fromEntries(Object.entries(draft).filter(([name, text]) => text !== initial[name]))
}

function stored(key: string, initial: Fields): Fields {
  const text = keptInBrowser(key) ?? keptInTab(key)
  if (text === undefined) return {}
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => entry[0] in initial && typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}
