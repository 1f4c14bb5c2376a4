'use client'

import { useState } from 'react'

/** Keeps one value for as long as its key stays the same. */
export function useKept<Value>(key: string, make: () => Value): Value {
  const [kept, keep] = useState(() => ({ key, value: make() }))
  if (kept.key === key) return kept.value
  const renewed = { key, value: make() }
  keep(renewed)
  return renewed.value
}
