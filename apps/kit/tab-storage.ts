/** Texts by form for browsers without storage; they last as long as the page. */
const unstored = new Map<string, string>()

/** Keeps a text for as long as the tab is open, or forgets it. A browser that allows no storage keeps it for as long as the page. */
export function keepInTab(key: string, text: string | undefined): void {
  unstored.delete(key)
  if (text === undefined) {
    unlessBlocked(() => sessionStorage.removeItem(key))
    return
  }
  const isStored = unlessBlocked(() => {
    sessionStorage.setItem(key, text)
    return true
  })
  if (isStored !== true) unstored.set(key, text)
}

export function keptInTab(key: string): string | undefined {
  return unlessBlocked(() => sessionStorage.getItem(key)) ?? unstored.get(key)
}

/** Gives nothing where the browser allows no storage, or has no room. */
export function unlessBlocked<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch (error) {
    // Browsers throw this class when storage is blocked or full.
    if (error instanceof DOMException) return undefined
    throw error
  }
}
