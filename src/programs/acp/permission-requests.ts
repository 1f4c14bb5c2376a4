import type { PermissionAnswer } from '../session-event.ts'
import type { AcpPermission, RpcId } from './lines.ts'

interface OpenRequest {
  readonly id: RpcId
  readonly options: AcpPermission['options']
}

const CANCELLED = { outcome: 'cancelled' }

/** The requests of a session for permission to use a tool that are open. */
export class PermissionRequests {
  readonly #open = new Map<string, OpenRequest>()

  get size(): number {
    return this.#open.size
  }

  ask(request: string, open: OpenRequest): void {
    this.#open.set(request, open)
  }

  /** The message that answers a request; undefined where no such request is open. */
  answer(request: string, { behavior }: PermissionAnswer): object | undefined {
    const open = this.#open.get(request)
    if (!open) return undefined
    this.#open.delete(request)
    // A person agreed to this call alone, so permission for good is the last resort.
    const kinds =
      behavior === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
    const [option] = kinds.flatMap((kind) => open.options.find((each) => each.kind === kind) ?? [])
    const outcome = option ? { outcome: 'selected', optionId: option.optionId } : CANCELLED
    return { id: open.id, result: { outcome } }
  }

  /** Closes all that are open, and returns their names and the messages that answer them. */
  withdraw() {
    const open = [...this.#open]
    this.#open.clear()
    return open.map(([request, { id }]) => ({
      request,
      answer: { id, result: { outcome: CANCELLED } },
    }))
  }
}
