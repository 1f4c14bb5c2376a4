import { ThroughlineError } from '../assert/index.ts'
import type { CallerEvent } from '../activity/index.ts'

/** One agent's part in a tree, with the event that ended it. */
export interface EndedRun {
  readonly run: string
  readonly agent: string
  readonly depth: number
  readonly path: readonly string[]
  /** Why it ended: it was done, handed over, failed, was stopped, or waits. */
  readonly end: RunEnding
}

export type RunEnding = CallerEvent & {
  readonly type: 'turn_end' | 'turn_cancelled' | 'wait_for_input'
}

/**
 * Reads events until every agent that took part has ended its turn, those that were handed the
 * conversation included, and resolves with how each ended, in the order in which they came up.
 *
 * @throws {@link ThroughlineError} `cut` when the events end before that
 * @example
 * const runs = await wholeTree(app.turn('t', { agent: 'lead', input: 'Go' }))
 */
export async function wholeTree(
  events: AsyncIterable<CallerEvent> | Iterable<CallerEvent>,
): Promise<readonly EndedRun[]> {
  const tree = new Tree()
  for await (const event of events) {
    tree.take(event)
    if (tree.hasEnded) return tree.ended
  }
  const message = `Cannot see the whole tree: the events ended while at work: ${tree.open.join(', ')}`
  throw new ThroughlineError('cut', message)
}

interface RunInTree {
  readonly run: string
  agent: string
  depth: number
  path: readonly string[]
  end: RunEnding | undefined
}

class Tree {
  readonly #parts = new Map<string, RunInTree>()
  /** Hand-offs whose receiver has not come up. */
  readonly #awaited = new Set<string>()

  get hasEnded(): boolean {
    return this.#parts.size > 0 && this.#awaited.size === 0 && this.open.length === 0
  }

  get open(): readonly string[] {
    return [...this.#parts.values()].flatMap(({ end, agent }) => (end ? [] : [agent]))
  }

  get ended(): readonly EndedRun[] {
    return [...this.#parts.values()].flatMap(({ end, ...part }) => (end ? [{ ...part, end }] : []))
  }

  take(event: CallerEvent): void {
    const { run, agent, depth, path, parentRun } = event
    // Derived events belong to no agent.
    if (run === '') return
    // A late reader sees an agent whose caller has written nothing since.
    if (parentRun !== undefined && !this.#parts.has(parentRun)) {
      const [above, name = ''] = [path.slice(0, -1), path.at(-2)]
      const caller = { agent: name, depth: depth - 1, path: above, end: undefined }
      this.#parts.set(parentRun, { run: parentRun, ...caller })
    }
    const before = this.#parts.get(run)
    this.#parts.set(run, {
      run,
      agent,
      depth,
      path,
      end: isEnding(event) ? event : stillEnded(before, event),
    })
    if (event.type === 'turn_end' && event.handoffTo !== undefined) {
      this.#awaited.add(handoffKey(event, event.handoffTo))
    }
    if (event.type === 'prompt_started') this.#awaited.delete(handoffKey(event, agent))
  }
}

function isEnding(event: CallerEvent): event is RunEnding {
  return ['turn_end', 'turn_cancelled', 'wait_for_input'].includes(event.type)
}

/** A run that waited and is resumed is at work again. */
function stillEnded(before: RunInTree | undefined, { type }: CallerEvent): RunEnding | undefined {
  return type === 'prompt_started' || type === 'resume_with_input' ? undefined : before?.end
}

function handoffKey({ turn, depth, parentRun = '' }: CallerEvent, to: string): string {
  return JSON.stringify([turn, depth, parentRun, to])
}
