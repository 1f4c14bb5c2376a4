import { NewestMap } from 'throughline/server/extend'
import type { z } from 'zod'
import { answerOf, builtInPanel, inventedDecision } from '../broker/lenders/index.ts'
import type { DecisionAnswer, DemoScenario, decisionRequest } from '../broker/lenders/index.ts'

/** Keys whose decision is remembered; the oldest go first. */
export const KEYS_MAX = 10_000

export interface KeyedDecisionRequest {
  readonly key: string
  readonly request: z.infer<typeof decisionRequest>
  /** The digest of the whole request: the same key with another digest is an error. */
  readonly digest: string
}

interface Decided {
  readonly lender: string
  readonly brokerCaseId: string
  readonly digest: string
  readonly answer: DecisionAnswer
  requests: number
}

/** The lenders' decisions, one for each key. */
export class Decisions {
  readonly #scenario: DemoScenario
  readonly #byKey = new NewestMap<Decided>(KEYS_MAX)

  constructor(scenario: DemoScenario) {
    this.#scenario = scenario
  }

  /** The decision under this key, or nothing when the key came with another request before. */
  decide(asked: KeyedDecisionRequest): DecisionAnswer | undefined {
    const decided = this.#byKey.get(asked.key) ?? this.#decideFirst(asked)
    decided.requests++
    return decided.digest === asked.digest ? decided.answer : undefined
  }

  /** Returns the number of uses of each key and its answer, without personal data. */
  told() {
    return [...this.#byKey].map(([key, { lender, brokerCaseId, answer, requests }]) => ({
      key,
      lender,
      brokerCaseId,
      decision: answer.decision,
      requests,
    }))
  }

  #decideFirst({ key, digest, request: { lender, application } }: KeyedDecisionRequest): Decided {
    const place = builtInPanel.lenders.findIndex((each) => each.lender === lender)
    const verdict = inventedDecision(place, application, this.#scenario)
    const answer = answerOf(verdict, application.requested)
    const { brokerCaseId } = application
    const decided = { lender, brokerCaseId, digest, answer, requests: 0 }
    this.#byKey.set(key, decided)
    return decided
  }
}
