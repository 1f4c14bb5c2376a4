import type { AguiThreadView, OpenStep } from './run-state.ts'

type OpenView = Pick<AguiThreadView, 'openMessages' | 'openCalls' | 'openSteps' | 'stepsEnded'>

/** The open messages, tool calls and steps of a run. */
export class OpenParts {
  readonly #messages = new Set<string>()
  readonly #calls = new Set<string>()
  readonly #steps = new Map<string, OpenStep>()
  #stepsEnded = 0
  #view: OpenView = EMPTY

  /** Each part is the same object until something in it opens or ends. */
  get view(): OpenView {
    const { openMessages, openCalls, openSteps } = this.#view
    const steps = [...this.#steps.values()]
    this.#view = {
      openMessages: sameSet(openMessages, this.#messages),
      openCalls: sameSet(openCalls, this.#calls),
      openSteps: isSame(openSteps, steps) ? openSteps : steps,
      stepsEnded: this.#stepsEnded,
    }
    return this.#view
  }

  startMessage(id: string): void {
    this.#messages.add(id)
  }

  endMessage(id: string): void {
    this.#messages.delete(id)
  }

  startCall(id: string): void {
    this.#calls.add(id)
  }

  endCall(id: string): void {
    this.#calls.delete(id)
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

  /** A run begins. */
  begin(): void {
    this.end()
    this.#stepsEnded = 0
  }

  /** The run has ended: nothing is open. */
  end(): void {
    this.#messages.clear()
    this.#calls.clear()
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
  return isSame([...shown], [...now]) ? shown : new Set(now)
}

function isSame(shown: readonly unknown[], now: readonly unknown[]): boolean {
  return shown.length === now.length && shown.every((each, at) => each === now[at])
}

/** Two agents may be at a step of one name at once. */
function keyOf(name: string, subagentRunId: string | undefined): string {
  return JSON.stringify([name, subagentRunId])
}
