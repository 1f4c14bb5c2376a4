import { useEffect, useState } from 'react'
import { ClientError, membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'
import { useSend } from 'throughline/react'
import { fetchOfferingSeed, keepSeed, sessionRequest, inBackground } from '../../kit/index.ts'
import type { KeyFact } from '../disclosures/key-facts.ts'
import type { CardProps } from './actions.ts'
import { useRetryWhenReconnected } from './reconnections.ts'

export interface DisclosureText {
  readonly version: number
  readonly title: string
  /** Empty in early versions. */
  readonly keyFacts: readonly KeyFact[]
  readonly body: string
  readonly contentHash: string
}

export type ShownDisclosure =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly retry: () => void }
  | { readonly status: 'shown'; readonly text: DisclosureText }

/** Reads a disclosure's text, in the version given or the one in force. */
export function useDisclosureText(id: string, version: number | undefined): ShownDisclosure {
  const [attempt, setAttempt] = useState(0)
  const [shown, setShown] = useState<ShownDisclosure>({ status: 'loading' })
  useEffect(() => {
    const abort = new AbortController()
    const query = version === undefined ? '' : `?version=${version}`
    sessionRequest(`/api/disclosures/${id}${query}`, 'customer', { signal: abort.signal }).then(
      (answer) => setShown({ status: 'shown', text: readText(answer) }),
      (error: unknown) => {
        if (!(error instanceof ClientError)) return
        setShown({ status: 'failed', retry: () => setAttempt((count) => count + 1) })
      },
    )
    return () => abort.abort()
  }, [id, version, attempt])
  useRetryWhenReconnected(shown.status === 'failed' ? shown.retry : undefined)
  return shown
}

function readText(answer: Json): DisclosureText {
  const { version, keyFacts } = membersOf(answer)
  return {
    version: Number(version),
    keyFacts: Array.isArray(keyFacts) ? keyFacts.map(readKeyFact) : [],
    title: textOf(answer, 'title'),
    body: textOf(answer, 'body'),
    contentHash: textOf(answer, 'contentHash'),
  }
}

function readKeyFact(fact: Json): KeyFact {
  return { title: textOf(fact, 'title'), text: textOf(fact, 'text') }
}

/** An assistant that is replying may present the text itself; a silent one holds nothing up. */
const ASSISTANT_PRESENTS_MAX_MS = 4_000

/**
 * Shows a disclosure as it was presented in the case, and records the presentation first when no one
 * else does.
 */
export function usePresentedDisclosure(
  { entry, view, readiness }: Pick<CardProps, 'entry' | 'view' | 'readiness'>,
  id: string,
): ShownDisclosure {
  const url = `/api/threads/${encodeURIComponent(entry.thread)}/events`
  const fetch = fetchOfferingSeed(entry)
  const { send, retry, status } = useSend(url, { role: 'customer', fetch })
  const record = view.disclosures.find((each) => each.id === id)
  const text = useDisclosureText(id, record?.version)
  const isPresented = record !== undefined
  useEffect(() => {
    if (isPresented) return
    const present = (): void => {
      inBackground(
        send({ events: [{ type: 'present_disclosure', data: { id } }] }).then((result) => {
          if (result.status === 'sent') keepSeed(result.answer)
        }),
      )
    }
    const timer = setTimeout(present, readiness === 'ready' ? 0 : ASSISTANT_PRESENTS_MAX_MS)
    return () => clearTimeout(timer)
  }, [isPresented, readiness, send, id])
  const isUnsent = !isPresented && status === 'failed'
  const again = (): void => inBackground(retry())
  useRetryWhenReconnected(isUnsent ? again : undefined)
  if (isPresented) return text
  if (isUnsent) return { status: 'failed', retry: again }
  return { status: 'loading' }
}
