import type { PermissionAnswer } from '../session/session-event.ts'
import type { AcpPermission, RpcId } from './lines.ts'

interface OpenRequest {
  readonly id: RpcId
  readonly options: AcpPermission['options']
}

type Options = AcpPermission['options']

/** The option that a person's yes selects. They agree to one call, so permission for more is the last resort. */
export function yesOf(options: Options): Options[number] | undefined {
  return (
    optionOf(options, ['allow_once', 'allow_always']) ??
    options.find(({ kind }) => kind?.startsWith('allow')) ??
    options.find(({ kind }) => !kind?.startsWith('reject'))
  )
}

function noOf(options: Options): Options[number] | undefined {
  const known = optionOf(options, ['reject_once', 'reject_always'])
  return known ?? options.find(({ kind }) => kind?.startsWith('reject'))
}

function optionOf(options: Options, kinds: readonly string[]): Options[number] | undefined {
  const [found] = kinds.flatMap((kind) => options.find((each) => each.kind === kind) ?? [])
  return found
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
    const option = behavior === 'allow' ? yesOf(open.options) : noOf(open.options)
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
