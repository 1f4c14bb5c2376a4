import { useEffect, useState, useSyncExternalStore } from 'react'
import { membersOf } from 'throughline/json'
import type { Json } from 'throughline/json'
import type { ThreadSnapshot } from 'throughline/react'
import type { PageEntry } from './enter-page.ts'
import { fetchOfferingSeed } from './recovery.ts'
import { sessionRequest } from './session-request.ts'
import { StateReader } from './state-reader.ts'
import type { ThreadView } from './thread-view.ts'

/**
 * Reads the thread's state as the page's role may see it, again whenever a fact arrives, and whenever
 * a record passes that this reader may not see, since it may change what they may.
 */
export function useThreadState(
  entry: PageEntry,
  { view, seq }: ThreadSnapshot<ThreadView>,
): Json | undefined {
  const [reader] = useState(() => {
    const url = `/api/threads/${encodeURIComponent(entry.thread)}/state`
    const fetch = fetchOfferingSeed(entry)
    const read = async () =>
      membersOf(await sessionRequest(url, entry.role, { fetch }))['state'] ?? null
    return new StateReader({ read })
  })
  const hidden = seq + 1 - view.shown
  const version = `${view.domainRecords.at(-1)?.seq} ${hidden}`
  useEffect(() => {
    if (seq >= 0) reader.want(version)
  }, [reader, version, seq])
  return useSyncExternalStore(reader.subscribe, reader.getSnapshot)
}
