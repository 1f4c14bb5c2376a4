/** A thread begins with the first question that is asked in it, so its name must be new. */
export function newDeskAddress(): string {
  const parts = crypto.getRandomValues(new Uint32Array(2))
  return `/threads/desk-${[...parts].map((part) => part.toString(36)).join('')}`
}
