import { useEffect, useState } from 'react'
import { fetchSessions, fetchTranscript } from '../team-requests.ts'
import type { KeptSession, Transcript, TranscriptQuery } from '../team-requests.ts'

/** Until what a person types, or what the team says, is asked for. */
const ASK_DELAY_MS = 250

export interface Transcripts {
  readonly sessions: readonly KeptSession[]
  readonly transcript: Transcript | undefined
}

/** The sessions and the messages that a person looks for, fetched again when the team says something. */
export function useTranscripts(query: TranscriptQuery, newest: number): Transcripts {
  const [sessions, setSessions] = useState<readonly KeptSession[]>([])
  const [transcript, setTranscript] = useState<Transcript>()
  const { session, agent, find } = query
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      Promise.all([fetchSessions(), fetchTranscript({ session, agent, find })]).then(
        ([all, found]) => {
          if (!isCurrent) return
          setSessions(all)
          setTranscript(found)
        },
        // What was fetched before stays until the connection is back.
        () => undefined,
      )
    }, ASK_DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [session, agent, find, newest])
  return { sessions, transcript }
}
