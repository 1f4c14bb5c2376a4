import { PROGRAM_OPEN_MAX } from '../limits.ts'
import { permissionName } from '../permission-name.ts'
import type { PermissionAnswer, PermissionAsked, SessionEvent } from '../session-event.ts'

/** The requests of a session for permission to use a tool. */
export class Permissions {
  readonly #emit: (event: SessionEvent) => void
  /** The program's own ids by the names of the requests. */
  readonly #open = new Map<string, string>()

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit
  }

  get areOpen(): boolean {
    return this.#open.size > 0
  }

  /** Asks a person. Returns the lines that refuse a request beyond the limit. */
  ask(id: string, asked: Omit<PermissionAsked, 'type' | 'request'>): readonly string[] {
    const request = permissionName(id)
    const isOpen = this.#open.has(request)
    if (isOpen || this.#open.size >= PROGRAM_OPEN_MAX) {
      const fault = isOpen ? 'id_used_twice' : 'too_many_open'
      this.#emit({ type: 'fault', fault, detail: 'permission requests' })
      const message = `${PROGRAM_OPEN_MAX} requests for permission are open`
      return isOpen ? [] : [answerLine(id, { behavior: 'deny', message })]
    }
    this.#open.set(request, id)
    this.#emit({ type: 'permission_asked', request, ...asked })
    return []
  }

  withdraw(id: string): void {
    const request = permissionName(id)
    if (this.#open.delete(request)) this.#emit({ type: 'permission_withdrawn', request })
  }

  /** The lines that answer a request; none where no request is open. */
  answer(request: string, answer: PermissionAnswer): readonly string[] {
    const id = this.#open.get(request)
    if (id === undefined) return []
    this.#open.delete(request)
    return [answerLine(id, answer)]
  }
}

function answerLine(id: string, answer: PermissionAnswer): string {
  const response =
    answer.behavior === 'allow'
      ? { behavior: 'allow', updatedInput: answer.input }
      : { behavior: 'deny', message: answer.message }
  const told = { subtype: 'success', request_id: id, response }
  return JSON.stringify({ type: 'control_response', response: told })
}
