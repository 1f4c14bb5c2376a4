import { useState } from 'react'

/**
 * State that outlives a reload of the tab and nothing else, for what a person fills in.
 * `clear` forgets what is stored, once it is recorded.
 */
export function useDraft<Draft extends Readonly<Record<string, string>>>(
  key: string,
  initial: Draft,
): readonly [draft: Draft, setDraft: (draft: Draft) => void, clear: () => void] {
  const [draft, setDraft] = useState(() => ({ ...initial, ...stored(key, initial) }))
  const keep = (next: Draft): void => {
    setDraft(next)
    sessionStorage.setItem(key, JSON.stringify(next))
  }
  return [draft, keep, () => forgetDraft(key)]
}

/** Forgets a draft whose form was left without sending it. */
export function forgetDraft(key: string): void {
  sessionStorage.removeItem(key)
}

function stored(key: string, initial: Readonly<Record<string, string>>): Record<string, string> {
  const text = sessionStorage.getItem(key)
  if (text === null) return {}
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => entry[0] in initial && typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}
