import { wellFormedJson } from '../well-formed.ts'
import { PROGRAM_OPEN_MAX } from '../limits.ts'
import { permissionName } from '../permission-name.ts'
import type { PermissionDecider } from '../permissions/permission-rules.ts'
import type {
  AskedQuestion,
  PermissionAnswer,
  PermissionAsked,
  SessionEvent,
} from '../session/session-event.ts'
import { answeredInput, questionsIn } from './ask-user-question.ts'

/** The requests of a session for permission to use a tool. */
export class Permissions {
  readonly #emit: (event: SessionEvent) => void
  readonly #decider: PermissionDecider | undefined
  readonly #open = new Map<string, OpenRequest>()

  constructor(emit: (event: SessionEvent) => void, decider?: PermissionDecider) {
    this.#emit = emit
    this.#decider = decider
  }

  get areOpen(): boolean {
    return this.#open.size > 0
  }

  /** Asks a person, unless a rule decides. Returns the lines that answer a request at once. */
  ask(id: string, asked: AskedCall): readonly string[] {
    const questions = questionsIn(asked)
    if (!questions) {
      const decided = this.#decide(id, asked)
      if (decided) return [decided]
    }
    const request = permissionName(id)
    const isOpen = this.#open.has(request)
    if (isOpen || this.#open.size >= PROGRAM_OPEN_MAX) {
      const fault = isOpen ? 'id_used_twice' : 'too_many_open'
      this.#emit({ type: 'fault', fault, detail: 'permission requests' })
      const message = `${PROGRAM_OPEN_MAX} requests for permission are open`
      return isOpen ? [] : [answerLine(id, { behavior: 'deny', message })]
    }
    this.#open.set(request, { id, questions })
    this.#emit({ type: 'permission_asked', request, ...asked, ...(questions && { questions }) })
    return []
  }

  #decide(id: string, { call, toolName, input }: AskedCall): string | undefined {
    const { behavior, rule } = this.#decider?.decide(toolName, input) ?? UNDECIDED
    if (behavior === 'ask') return undefined
    this.#emit({ type: 'permission_decided', call, toolName, input, behavior, rule })
    if (behavior === 'allow') return answerLine(id, { behavior, input })
    return answerLine(id, { behavior, message: `The rule ${rule} refuses this call` })
  }

  withdraw(id: string): void {
    const request = permissionName(id)
    if (this.#open.delete(request)) this.#emit({ type: 'permission_withdrawn', request })
  }

  /** The lines that answer a request; none where no request is open. */
  answer(request: string, answer: PermissionAnswer): readonly string[] {
    const open = this.#open.get(request)
    if (!open) return []
    this.#open.delete(request)
    const { id, questions } = open
    if (!questions || answer.behavior === 'deny') return [answerLine(id, answer)]
    const input = answeredInput(questions, answer)
    if (input === undefined) return [answerLine(id, { behavior: 'deny', message: UNANSWERED })]
    return [answerLine(id, { behavior: 'allow', input })]
  }

  /** Whether the answer to a request carries a person's message by itself. */
  isQuestion(request: string): boolean {
    return this.#open.get(request)?.questions !== undefined
  }
}

type AskedCall = Omit<PermissionAsked, 'type' | 'request'>

const UNDECIDED = { behavior: 'ask', rule: '' } as const

interface OpenRequest {
  /** The program's own id. */
  readonly id: string
  readonly questions: readonly AskedQuestion[] | undefined
}

const UNANSWERED = 'A person agreed to the questions and answered none of them: ask in your text'

function answerLine(id: string, answer: PermissionAnswer): string {
  const response =
    answer.behavior === 'allow'
      ? { behavior: 'allow', updatedInput: answer.input }
      : { behavior: 'deny', message: answer.message }
  const told = { subtype: 'success', request_id: id, response }
  return wellFormedJson({ type: 'control_response', response: told })
}
