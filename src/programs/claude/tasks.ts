import { PROGRAM_OPEN_MAX } from '../limits.ts'
import type { SessionEvent, Task } from '../session/session-event.ts'
import type { ClaudeTaskEnded, ClaudeTaskStarted } from './lines.ts'

interface OpenTask {
  readonly task: Task
  /** It goes on after the result of its call, and its end begins a turn. */
  isInBackground: boolean
}

/** The tasks of a session, and the turns that the CLI has yet to begin because tasks have ended. */
export class Tasks {
  readonly #emit: (event: SessionEvent) => void
  readonly #open = new Map<string, OpenTask>()
  /** Runs of tasks that have ended, whose own turn has not. */
  readonly #owed = new Set<string>()

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit
  }

  /** Whether no turn is to come because of a task. */
  get areDone(): boolean {
    if (this.#owed.size > 0) return false
    for (const { isInBackground } of this.#open.values()) if (isInBackground) return false
    return true
  }

  start(line: ClaudeTaskStarted): void {
    const { task_id: id, run_id: run = '', tool_use_id: call = null, description: title } = line
    if (this.#open.has(id)) return
    const task = { id, run, call, title }
    this.#open.set(id, { task, isInBackground: line.is_backgrounded === true })
    this.#emit({ type: 'task_started', task })
    const [first] = this.#open.keys()
    if (this.#open.size > PROGRAM_OPEN_MAX && first !== undefined) {
      this.#emit({ type: 'fault', fault: 'too_many_open', detail: 'tasks' })
      this.end({ task_id: first, status: 'lost', summary: '' })
    }
  }

  /** The call that started a sub-agent, by the name that the CLI gives its task. */
  callOf(id: string): string | null {
    return this.#open.get(id)?.task.call ?? null
  }

  /** A call has its result. A task that it started and that goes on is in the background. */
  callAnswered(call: string): void {
    for (const open of this.#open.values()) {
      if (open.task.call === call) open.isInBackground = true
    }
  }

  /** Tasks in the background that the CLI names no more have ended. */
  keepOnly(ids: readonly string[]): void {
    const named = new Set(ids)
    for (const [id, { isInBackground }] of this.#open) {
      if (isInBackground && !named.has(id)) {
        this.end({ task_id: id, status: 'stopped', summary: '' })
      }
    }
  }

  turnEnded(run: string): void {
    this.#owed.delete(run)
  }

  end({ task_id: id, status, summary }: Pick<ClaudeTaskEnded, 'task_id' | 'status' | 'summary'>) {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    const { task, isInBackground } = open
    // A version that names no run begins no turn either.
    if (isInBackground && task.run !== '' && BEGINS_TURN.has(status)) this.#owed.add(task.run)
    // A provider's failure ends a sub-agent, which the CLI calls completed.
    const hasFailed = status === 'completed' && summary.startsWith('API Error: ')
    this.#emit({ type: 'task_ended', task, status: hasFailed ? 'api_error' : status, summary })
  }
}

const BEGINS_TURN: ReadonlySet<string> = new Set(['completed', 'failed'])
