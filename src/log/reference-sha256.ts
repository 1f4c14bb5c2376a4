/** Two functions of the web, declared in this file only: no other file of the room may use them. */
declare const crypto: {
  readonly subtle: { digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> }
}
declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** SHA-256 for the contract, which recomputes a chain without the function that its log was given. */
export async function referenceSha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
