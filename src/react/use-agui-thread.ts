'use client'

import { useEffect } from 'react'
import { AguiThread } from '../agui-client/index.ts'
import type { AguiThreadOptions, AguiThreadView } from '../agui-client/index.ts'
import type { Json, KnownMembers } from '../json/index.ts'
import { useStore } from './use-store.ts'
import type { RoleOptions } from './use-store.ts'

export interface UseAguiThreadOptions extends AguiThreadOptions, RoleOptions {
  /** Joins the thread when the page is shown: its history, its state and the run at work. */
  readonly joins?: true
}

const OPTIONS: KnownMembers<UseAguiThreadOptions> = {
  url: true,
  threadId: true,
  joins: true,
  role: true,
  headers: true,
  messages: true,
  state: true,
  tools: true,
  context: true,
  attaches: true,
  fetch: true,
  custom: true,
  raw: true,
  onFault: true,
  onRemoved: true,
  now: true,
  newId: true,
}

/** A live thread of an AG-UI agent, with functions for a person's requests. */
export interface LiveAguiThread extends AguiThreadView<Json> {
  readonly threadId: string
  readonly ask: AguiThread['run']
  readonly connect: AguiThread['connect']
  readonly stop: AguiThread['stop']
  readonly leave: AguiThread['leave']
}

/**
 * Runs any AG-UI agent from a page and shows its thread; the actions stay the same functions. The run
 * goes on when the page is left.
 *
 * The options count from the first render on; another `url`, `threadId` or `role` starts over;
 * `headers` count as they are in the newest rendering.
 *
 * @example
 * const { messages, run, ask } = useAguiThread({ url: '/agui/desk', threadId: 'order-7', joins: true })
 */
export function useAguiThread(options: UseAguiThreadOptions): LiveAguiThread {
  const { url, threadId, role, joins } = options
  const key = JSON.stringify([url, threadId, role])
  const call = { hook: 'useAguiThread', key, options, known: OPTIONS }
  const { store: thread, snapshot } = useStore(
    call,
    (headers) => new AguiThread({ ...options, headers }),
  )
  useEffect(() => {
    // The thread is idle here, so it does not refuse to join; the view shows the end of the connection.
    if (joins) thread.connect().catch((error: unknown) => reportError(error))
    return thread.leave
  }, [thread, joins])
  const { run: ask, connect, stop, leave } = thread
  return { ...snapshot, threadId: thread.threadId, ask, connect, stop, leave }
}
