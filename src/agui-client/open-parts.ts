import type { AGUIEvent } from '@ag-ui/core'
import { ITEM_ROLES, itemEventOf } from '../activity/index.ts'
import type { ItemKind } from '../activity/index.ts'
import type { AguiThreadView, OpenStep } from './run-state.ts'

type OpenView = Pick<AguiThreadView, 'openMessages' | 'openCalls' | 'openSteps' | 'stepsEnded'>

interface OpenPart {
  readonly kind: ItemKind
  /** As it is shown where it is a step. */
  readonly step: OpenStep
}

/** The open messages, tool calls and steps of a run. */
export class OpenParts {
  readonly #open = new Map<string, OpenPart>()
  #stepsEnded = 0
  #view: OpenView = EMPTY

  /** Each part is the same object until something in it opens or ends. */
  get view(): OpenView {
    const { openMessages, openCalls, openSteps } = this.#view
    const [messages, calls, steps]: [string[], string[], OpenStep[]] = [[], [], []]
    for (const { kind, step } of this.#open.values()) {
      if (kind === 'step') steps.push(step)
      else if (kind === 'tool call') calls.push(step.name)
      else if (kind === 'text message' || kind === 'reasoning message') messages.push(step.name)
    }
    this.#view = {
      openMessages: sameSet(openMessages, messages),
      openCalls: sameSet(openCalls, calls),
      openSteps: sameList(openSteps, steps),
      stepsEnded: this.#stepsEnded,
    }
    return this.#view
  }

  take(event: AGUIEvent): void {
    // Most events continue an item, and change nothing here.
    if (ITEM_ROLES.get(event.type)?.role === 'continues') return
    const item = itemEventOf(event.type, event)
    if (item?.role === 'closes') {
      if (this.#open.delete(item.key) && item.kind === 'step') this.#stepsEnded++
    } else if (item?.role === 'opens' && !this.#open.has(item.key)) {
      // The prelude of a join starts the open items again.
      const { kind, id, key, agent } = item
      const step = { name: id, ...(agent !== undefined && { subagentRunId: agent }) }
      this.#open.set(key, { kind, step })
    }
  }

  begin(): void {
    this.end()
    this.#stepsEnded = 0
  }

  end(): void {
    this.#open.clear()
  }
}

const EMPTY: OpenView = {
  openMessages: new Set(),
  openCalls: new Set(),
  openSteps: [],
  stepsEnded: 0,
}

function sameSet(shown: ReadonlySet<string>, now: readonly string[]): ReadonlySet<string> {
  const before = [...shown]
  return sameList(before, now) === before ? shown : new Set(now)
}

/** Returns the list that is shown if the new one has the same entries. */
export function sameList<Entry>(shown: readonly Entry[], now: readonly Entry[]): readonly Entry[] {
  const isSame = shown.length === now.length && shown.every((each, at) => each === now[at])
  return isSame ? shown : now
}
