/** Values in the fragment of a page's address, which no server, log or referrer sees. */
export type FragmentKey = 'token' | 'seed'

/** Sent to the window after `writeFragment` changed the address, which sends no event itself. */
export const FRAGMENT_WRITTEN = 'throughline:fragment-written'

export function readFragment(key: FragmentKey): string | undefined {
  return parameters().get(key) ?? undefined
}

export function writeFragment(key: FragmentKey, value: string | undefined): void {
  history.replaceState(history.state, '', addressWith({ [key]: value }))
  dispatchEvent(new Event(FRAGMENT_WRITTEN))
}

/** Whether the address names a sheet, as in `#ask`. */
export function hasSheet(name: string): boolean {
  return parameters().has(name)
}

/** The page's address with these names changed after its `#`; a sheet is a name with an empty value. */
export function addressWith(changes: Readonly<Record<string, string | undefined>>): string {
  const kept = parameters()
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) kept.delete(name)
    else kept.set(name, value)
  }
  // `#ask` reads better than `#ask=`.
  const fragment = kept.size > 0 ? `#${kept.toString().replaceAll(/=(?=&|$)/g, '')}` : ''
  return `${location.pathname}${location.search}${fragment}`
}

/**
 * Takes the token of a link out of the address, so that no entry of the browser's history shows it. A
 * reload finds it with the entry until `forgetToken`.
 */
export function takeToken(): string | undefined {
  const token = readFragment('token')
  if (token === undefined) return keptToken()
  history.replaceState({ ...entryState(), token }, '', addressWith({ token: undefined }))
  return token
}

/** Called once the token is exchanged: it is no longer needed. */
export function forgetToken(): void {
  // An absent member of a state is not kept.
  history.replaceState({ ...entryState(), token: undefined }, '', addressWith({}))
}

function keptToken(): string | undefined {
  const { token } = entryState()
  return typeof token === 'string' ? token : undefined
}

/**
 * Loads the page anew when a link with a token was put into its address. Listeners after this one do not
 * hear the event: they would write the token into entries of the history.
 */
export function enterPastedLink(event: PopStateEvent): void {
  if (readFragment('token') === undefined) return
  event.stopImmediatePropagation()
  takeToken()
  location.reload()
}

function entryState(): { readonly token?: unknown } {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null ? state : {}
}

function parameters(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1))
}
