import { startOf } from '../json/index.ts'
import { SHOWN_VALUE_CHARS_MAX } from './replay-summary.ts'
import type { AskedTurn } from './ask-again.ts'
import type { ModelProposal } from './turns-on-record.ts'

/** Agents, and kinds of proposals, that a summary keeps apart. */
export const ASKED_GROUPS_MAX = 1_000

interface Shares {
  turns: number
  answers: number
  equal: number
  failed: number
}

/** The results of turns that were asked again, as shares: a model gives another answer each time. */
export class AskSummary {
  turns = 0
  otherPrompt = 0
  tokens = 0
  readonly planned: number
  readonly #agents = new Map<string, Shares>()
  readonly #changes = new Map<string, number>()
  #fault: string | undefined

  constructor(planned: number) {
    this.planned = planned
  }

  take(turn: AskedTurn): void {
    this.turns++
    this.tokens += turn.tokens
    if (turn.status === 'other_prompt') {
      this.otherPrompt++
      return
    }
    const { agent, times, equal, faults } = turn
    const shares = this.#agents.get(agent) ?? { turns: 0, answers: 0, equal: 0, failed: 0 }
    shares.turns++
    shares.answers += times
    shares.equal += equal
    shares.failed += faults.length
    if (this.#agents.size < ASKED_GROUPS_MAX) this.#agents.set(agent, shares)
    this.#fault ??= faults[0]
    for (const each of turn.lost) this.#count('-', each)
    for (const each of turn.gained) this.#count('+', each)
  }

  get answers(): number {
    return this.#sum('answers')
  }

  get equal(): number {
    return this.#sum('equal')
  }

  get verdict(): 'equal' | 'differs' | 'cannot_tell' {
    if (this.equal < this.answers) return 'differs'
    return this.answers === 0 || this.turns < this.planned ? 'cannot_tell' : 'equal'
  }

  lines(): readonly string[] {
    const changes = [...this.#changes].toSorted(([, one], [, other]) => other - one)
    const left = this.planned - this.turns
    return [
      ...[...this.#agents].map(([agent, { turns, answers, equal, failed }]) => {
        const failures = failed > 0 ? `, ${failed} failed` : ''
        return `${agent}: ${shareOf(equal, answers)} equal, of ${turns} turns${failures}`
      }),
      ...changes.map(([what, count]) => `${what}: in ${shareOf(count, this.answers)}`),
      ...(this.#fault === undefined ? [] : [`first failure: ${this.#fault}`]),
      ...(this.otherPrompt > 0
        ? [`${this.otherPrompt} turns left out: their recorded prompt is not reproduced`]
        : []),
      ...(left > 0 ? [`${left} turns not asked: they would pass --tokens-max`] : []),
      `${this.tokens} tokens used`,
    ]
  }

  #count(sign: string, { type, data }: ModelProposal): void {
    const text = startOf(
      typeof data === 'string' ? data : JSON.stringify(data),
      SHOWN_VALUE_CHARS_MAX,
    )
    const key = `${sign} ${type} ${text}`
    const known = this.#changes.get(key)
    if (known === undefined && this.#changes.size >= ASKED_GROUPS_MAX) return
    this.#changes.set(key, (known ?? 0) + 1)
  }

  #sum(name: keyof Shares): number {
    return [...this.#agents.values()].reduce((sum, shares) => sum + shares[name], 0)
  }
}

function shareOf(count: number, of: number): string {
  return `${count} of ${of} answers (${Math.round((count / of) * 100)} %)`
}
