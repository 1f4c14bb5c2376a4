import { PROGRAM_OPEN_MAX } from '../limits.ts'
import type { PermissionAnswer, PermissionAsked, SessionEvent } from '../session-event.ts'

/** The requests of a session for permission to use a tool. */
export class Permissions {
  readonly #emit: (event: SessionEvent) => void
  readonly #open = new Set<string>()

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit
  }

  get areOpen(): boolean {
    return this.#open.size > 0
  }

  ask(asked: Omit<PermissionAsked, 'type'>): void {
    if (this.#open.has(asked.request) || this.#open.size >= PROGRAM_OPEN_MAX) {
      const fault = this.#open.has(asked.request) ? 'id_used_twice' : 'too_many_open'
      return this.#emit({ type: 'fault', fault, detail: 'permission requests' })
    }
    this.#open.add(asked.request)
    this.#emit({ type: 'permission_asked', ...asked })
  }

  withdraw(request: string): void {
    if (this.#open.delete(request)) this.#emit({ type: 'permission_withdrawn', request })
  }

  /** The lines that answer a request; none where no request is open. */
  answer(request: string, answer: PermissionAnswer): readonly string[] {
    if (!this.#open.delete(request)) return []
    const response =
      answer.behavior === 'allow'
        ? { behavior: 'allow', updatedInput: answer.input }
        : { behavior: 'deny', message: answer.message }
    const told = { subtype: 'success', request_id: request, response }
    return [JSON.stringify({ type: 'control_response', response: told })]
  }
}
