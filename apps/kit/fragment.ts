/** What a page keeps in its address after `#`, where no server, log or referrer sees it. */
export type FragmentKey = 'token' | 'seed'

export function readFragment(key: FragmentKey): string | undefined {
  return parameters().get(key) ?? undefined
}

export function writeFragment(key: FragmentKey, value: string | undefined): void {
  const kept = parameters()
  if (value === undefined) kept.delete(key)
  else kept.set(key, value)
  const fragment = kept.size > 0 ? `#${kept}` : ''
  history.replaceState(history.state, '', `${location.pathname}${location.search}${fragment}`)
}

function parameters(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1))
}
