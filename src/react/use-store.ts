'use client'

import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ThroughlineError } from '../assert/index.ts'
import { unknownMember } from '../json/index.ts'

export interface RoleOptions {
  /** Which of the page's cookies the server should go by. */
  readonly role?: string
  readonly headers?: () => Readonly<Record<string, string>>
}

interface Store<Snapshot> {
  readonly subscribe: (listener: () => void) => () => void
  readonly getSnapshot: () => Snapshot
}

/** What a hook was called with. */
export interface HookCall {
  readonly hook: string
  /** Another key makes another store. */
  readonly key: string
  readonly options: RoleOptions
  readonly known: Readonly<Record<string, true>>
}

/**
 * Keeps one store for as long as its key stays the same, and reads it. The headers that the store is made with
 * are those of the newest rendering, such as a renewed token.
 *
 * @throws {@link ThroughlineError} `unknown_option`
 */
export function useStore<Kept, Snapshot>(
  { hook, key, options, known }: HookCall,
  make: (headers: () => Readonly<Record<string, string>>) => Kept & Store<Snapshot>,
): { readonly store: Kept; readonly snapshot: Snapshot } {
  const newest = useNewest(options)
  const store = useKept(key, () => {
    const unknown = unknownMember(options, known)
    if (unknown === undefined) return make(() => headersFor(newest.current))
    throw new ThroughlineError('unknown_option', `Cannot call ${hook}: ${unknown}`)
  })
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot)
  return { store, snapshot }
}

function useNewest<Value>(value: Value): { readonly current: Value } {
  const newest = useRef(value)
  useLayoutEffect(() => {
    newest.current = value
  })
  return newest
}

function useKept<Value>(key: string, make: () => Value): Value {
  const [kept, keep] = useState(() => ({ key, value: make() }))
  if (kept.key === key) return kept.value
  const renewed = { key, value: make() }
  keep(renewed)
  return renewed.value
}

function headersFor({ role, headers }: RoleOptions): Readonly<Record<string, string>> {
  return { ...(role !== undefined && { 'throughline-role': role }), ...headers?.() }
}
