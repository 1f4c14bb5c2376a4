import type { AguiThreadView, OpenStep } from './run-state.ts'

type OpenView = Pick<AguiThreadView, 'openMessages' | 'openCalls' | 'openSteps' | 'stepsEnded'>

/** The open messages, tool calls and steps of a run. */
export class OpenParts {
  readonly messages = new Set<string>()
  readonly calls = new Set<string>()
  readonly #steps = new Map<string, OpenStep>()
  #stepsEnded = 0
  #view: OpenView = EMPTY

  /** Each part is the same object until something in it opens or ends. */
  get view(): OpenView {
    const { openMessages, openCalls, openSteps } = this.#view
    this.#view = {
      openMessages: sameSet(openMessages, this.messages),
      openCalls: sameSet(openCalls, this.calls),
      openSteps: sameList(openSteps, [...this.#steps.values()]),
      stepsEnded: this.#stepsEnded,
    }
    return this.#view
  }

  startStep(name: string, subagentRunId: string | undefined): void {
    const key = keyOf(name, subagentRunId)
    // The prelude of a join starts the open steps again.
    if (this.#steps.has(key)) return
    this.#steps.set(key, { name, ...(subagentRunId !== undefined && { subagentRunId }) })
  }

  endStep(name: string, subagentRunId: string | undefined): void {
    if (this.#steps.delete(keyOf(name, subagentRunId))) this.#stepsEnded++
  }

  begin(): void {
    this.end()
    this.#stepsEnded = 0
  }

  end(): void {
    this.messages.clear()
    this.calls.clear()
    this.#steps.clear()
  }
}

const EMPTY: OpenView = {
  openMessages: new Set(),
  openCalls: new Set(),
  openSteps: [],
  stepsEnded: 0,
}

function sameSet(shown: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> {
  const before = [...shown]
  return sameList(before, [...now]) === before ? shown : new Set(now)
}

/** Returns the list that is shown if the new one has the same entries. */
export function sameList<Entry>(shown: readonly Entry[], now: readonly Entry[]): readonly Entry[] {
  const isSame = shown.length === now.length && shown.every((each, at) => each === now[at])
  return isSame ? shown : now
}

/** Two agents may be at a step of one name at once. */
function keyOf(name: string, subagentRunId: string | undefined): string {
  return JSON.stringify([name, subagentRunId])
}
