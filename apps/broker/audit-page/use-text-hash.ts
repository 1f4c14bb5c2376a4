import { useEffect, useState } from 'react'
import { inBackground } from '../../kit/index.ts'

export type TextHash =
  | { readonly status: 'working' }
  | { readonly status: 'unable' }
  | { readonly status: 'hashed'; readonly hash: string }

/** Hex SHA-256 of a text, computed here and not taken from the sender of the text. */
export function useTextHash(text: string): TextHash {
  const [hashed, setHashed] = useState<{ readonly text: string; readonly hash: string }>()
  const able = isSecureContext
  useEffect(() => {
    if (!able) return
    let current = true
    inBackground(hashOf(text).then((hash) => current && setHashed({ text, hash })))
    return () => {
      current = false
    }
  }, [able, text])
  if (!able) return { status: 'unable' }
  return hashed?.text === text ? { status: 'hashed', hash: hashed.hash } : { status: 'working' }
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
