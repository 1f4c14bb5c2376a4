import { useEffect, useState } from 'react'
import { membersOf, textOf } from 'throughline/json'
import { ClientError } from 'throughline/client'
import type { Json } from 'throughline/json'
import type { PageEntry } from '../../kit/index.ts'
import { sessionRequest } from '../../kit/index.ts'

export interface ServedAgent {
  readonly name: string
  readonly description: string
}

export type ServedAgents =
  | { readonly status: 'asking' }
  | { readonly status: 'failed'; readonly detail: string }
  | { readonly status: 'answered'; readonly agents: readonly ServedAgent[] }

/** Asks which agents may be asked, again when `ask` is called. */
export function useServedAgents({
  role,
}: PageEntry): readonly [served: ServedAgents, ask: () => void] {
  const [served, setServed] = useState<ServedAgents>({ status: 'asking' })
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    sessionRequest('/api/agents/served', role, { signal: abort.signal }).then(
      (answer) => setServed({ status: 'answered', agents: agentsIn(answer) }),
      (error: unknown) => {
        if (error instanceof ClientError) setServed({ status: 'failed', detail: error.message })
      },
    )
    return () => abort.abort()
  }, [role, asked])
  const again = (): void => {
    setServed({ status: 'asking' })
    setAsked((times) => times + 1)
  }
  return [served, again]
}

function agentsIn(answer: Json): readonly ServedAgent[] {
  const { agents } = membersOf(answer)
  if (!Array.isArray(agents)) return []
  return agents.map((agent: Json) => ({
    name: textOf(agent, 'name'),
    description: textOf(agent, 'description'),
  }))
}
