/** Returns the storage key for a page's unsent message in a tab. */
export function messageDraftKey(path: string): string {
  return `message ${path}`
}

/** Puts a message into the composer of a page that this tab opens next. A person has to send it. */
export function prepareMessage(path: string, text: string): void {
  sessionStorage.setItem(messageDraftKey(path), JSON.stringify({ text }))
}
