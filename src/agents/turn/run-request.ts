import type { Json } from '../../json/index.ts'
import type { Sha256 } from '../../log/index.ts'
import type { ClientResult, InterruptAnswer } from './client-request.ts'
import type { TurnInput } from './opening.ts'

/** The request that started a run. */
export type RunRequest =
  | ({ readonly agent: string; readonly input: string } & Pick<
      TurnInput,
      'events' | 'first' | 'messages'
    >)
  | GivenAnswers
  | { readonly run: string; readonly values: Readonly<Record<string, Json>> }

/** A client's answers, from which the turn's id is made. */
interface GivenAnswers {
  readonly agent: string
  readonly answers: readonly InterruptAnswer[]
  readonly results: readonly ClientResult[]
}

export function requestDigest(request: RunRequest, sha256: Sha256): string {
  return sha256(JSON.stringify(request))
}
