import { unlessBlocked } from './tab-storage.ts'

/** Texts that a browser keeps between visits; the oldest go first. */
export const KEPT_TEXTS_MAX = 10
/** The longest of them, in characters: a recovery seed may be as long. */
export const KEPT_TEXT_CHARS_MAX = 131_072
/** As long as a link opens its case. */
export const KEPT_TEXT_DAYS_MAX = 30

const PREFIX = 'throughline.kept '
const DAY_MS = 86_400_000

/** Keeps a text in this browser between visits, or forgets it. Returns whether the browser took it. */
export function keepInBrowser(key: string, text: string | undefined): 'kept' | 'not kept' {
  const name = `${PREFIX}${key}`
  const kept = unlessBlocked(() => {
    localStorage.removeItem(name)
    if (text === undefined || text.length > KEPT_TEXT_CHARS_MAX) return false
    forgetOldTexts()
    localStorage.setItem(name, JSON.stringify({ at: Date.now(), text }))
    return true
  })
  return kept === true ? 'kept' : 'not kept'
}

export function keptInBrowser(key: string): string | undefined {
  return unlessBlocked(() => readKept(`${PREFIX}${key}`)?.text)
}

/** Makes room for one more. */
function forgetOldTexts(): void {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
  const newestFirst = names
    .map((name) => ({ name, at: readKept(name)?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at)
  for (const [place, { name, at }] of newestFirst.entries()) {
    if (place >= KEPT_TEXTS_MAX - 1 || isOld(at)) localStorage.removeItem(name)
  }
}

function readKept(name: string): { readonly at: number; readonly text: string } | undefined {
  const stored = localStorage.getItem(name)
  if (stored === null) return undefined
  // Written here, under a prefix of our own.
  const kept = JSON.parse(stored) as { readonly at: number; readonly text: string }
  return isOld(kept.at) ? undefined : kept
}

function isOld(at: number): boolean {
  return Date.now() - at > KEPT_TEXT_DAYS_MAX * DAY_MS
}
