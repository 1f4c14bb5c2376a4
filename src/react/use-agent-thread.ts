'use client'

import type { KnownMembers } from '../json/index.ts'
import type { AgentThreadSnapshot, AgentThreadStoreOptions } from './agent-thread-store.ts'
import { AgentThreadStore } from './agent-thread-store.ts'
import { STREAMS_OF_PAGE } from './shared-streams.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

/** The thread's address: its whole URL, or its id and the base path of the routes. */
type ThreadLocation =
  | { readonly url: string }
  /** `base` is `/api` unless given. */
  | { readonly thread: string; readonly base?: string }

export type UseAgentThreadOptions = ThreadLocation &
  RoleOptions &
  Omit<AgentThreadStoreOptions, 'url' | 'headers' | 'now'>

const OPTIONS: KnownMembers<RoleOptions & Omit<AgentThreadStoreOptions, 'now'>> & {
  readonly thread: true
  readonly base: true
} = {
  thread: true,
  base: true,
  url: true,
  role: true,
  headers: true,
  depth: true,
  fetch: true,
  timeoutMs: true,
  doubleClickMs: true,
  pending: true,
  page: true,
  openingMaxMs: true,
  random: true,
  sleep: true,
  silenceMaxMs: true,
}

/** A live thread of agents, with functions for a person's requests. */
export type LiveAgentThread = AgentThreadSnapshot &
  Pick<AgentThreadStore, 'ask' | 'answer' | 'cancel' | 'retry' | 'forget'>

/**
 * Reads a thread of agents live, and asks, answers and cancels in it; the actions stay the same
 * functions. See {@link AgentThreadStore} for what shows when.
 *
 * It shares its stream with the hooks that {@link useThread} shares with.
 *
 * The options count from the first render on; another thread, `role` or `depth` starts over with new
 * ones; `headers` count as they are in the newest rendering.
 *
 * @example
 * const { tree, questions, ask, answer, cancel } = useAgentThread({ thread: 'order-7' })
 */
export function useAgentThread(options: UseAgentThreadOptions): LiveAgentThread {
  const url = addressOf(options)
  const key = `${options.role} ${options.depth} ${url}`
  const { store, snapshot } = useStore(
    { hook: 'useAgentThread', key, options, known: OPTIONS },
    (headers) => new AgentThreadStore({ ...options, url, headers }, STREAMS_OF_PAGE.follow),
  )
  const { ask, answer, cancel, retry, forget } = store
  return { ...snapshot, ask, answer, cancel, retry, forget }
}

function addressOf(location: ThreadLocation): string {
  if ('url' in location) return location.url
  const { thread, base = '/api' } = location
  return `${base}/threads/${encodeURIComponent(thread)}`
}
