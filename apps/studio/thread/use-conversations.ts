import { useEffect, useState } from 'react'
import type { Json } from 'throughline/client'
import { isJsonArray, membersOf, textOf } from 'throughline/client'
import type { PageEntry } from '../../kit/index.ts'
import { API, sessionRequest } from '../../kit/index.ts'

/** Conversations that the page lists. */
const CONVERSATIONS_MAX = 50
/** The list is polled, because no stream reports threads that the page has not opened. */
const REFRESH_MS = 5_000

export interface Conversation {
  readonly thread: string
  readonly subject: string
  readonly status: 'working' | 'waiting' | 'idle'
  /** The agent that works, or that worked last. */
  readonly agent: string
  readonly ts: number
}

export interface ConversationsOptions {
  readonly role: PageEntry['role']
  /** The application whose threads are listed; without one, nothing is asked. */
  readonly application: string | undefined
  /** The list is asked for again whenever this changes. */
  readonly version: string
}

/** The conversations of an application; `undefined` where they may not be listed. */
export function useConversations(
  options: ConversationsOptions,
): readonly Conversation[] | undefined {
  const { role, application, version } = options
  const [conversations, setConversations] = useState<readonly Conversation[]>()
  useEffect(() => {
    if (application === undefined) return
    const abort = new AbortController()
    const query = new URLSearchParams({ app: application, limit: `${CONVERSATIONS_MAX}` })
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return
      sessionRequest(`${API}/threads?${query}`, role, { signal: abort.signal }).then(
        (answer) => setConversations(conversationsIn(answer)),
        // Without the list the page works as before; the banner shows a lost connection.
        () => undefined,
      )
    }
    ask()
    const timer = setInterval(ask, REFRESH_MS)
    return () => {
      abort.abort()
      clearInterval(timer)
    }
  }, [role, application, version])
  return conversations
}

function conversationsIn(answer: Json): readonly Conversation[] {
  const threads = membersOf(answer)['threads'] ?? null
  return (isJsonArray(threads) ? threads : []).flatMap((each) => {
    const values = membersOf(each)['values'] ?? null
    const subject = textOf(values, 'subject')
    const { ts } = membersOf(each)
    if (subject === '' || typeof ts !== 'number') return []
    const status = statusIn(textOf(values, 'status'))
    return [{ thread: textOf(each, 'thread'), subject, status, agent: textOf(values, 'agent'), ts }]
  })
}

function statusIn(text: string): Conversation['status'] {
  return text === 'working' || text === 'waiting' ? text : 'idle'
}
