import type { RunAgentInput, TokenUsage } from '@ag-ui/core'
import type { Program } from '../agents/index.ts'
import { programOf } from './ingest.ts'
import { PROGRAM_RESTARTS_MAX } from './limits.ts'
import { permissionAnswer, permissionQuestion, promptText } from './prompt-text.ts'
import { exitError } from './session.ts'
import { SessionAgui, tokenUsage } from './session-agui.ts'
import type { WireEvent } from './session-agui.ts'
import type { PermissionAsked, SessionEvent, TurnEnded } from './session-event.ts'
import type { SessionLife } from './session-life.ts'
import { SessionPool } from './session-pool.ts'
import type { StartSession } from './session-pool.ts'

/** A program with processes of its own. */
export interface ProcessProgram extends Program {
  /** Ends its processes. */
  readonly close: () => Promise<void>
}

/** A program with one process for each conversation; tokens are counted in the name of `provider`. */
export function processProgram(start: StartSession, provider: string): ProcessProgram {
  const pool = new SessionPool(start)
  const program = programOf('process', (input, { signal }) =>
    new SessionRun(pool, provider, input).events(signal),
  )
  return { ...program, close: () => pool.close() }
}

const GO_ON = 'Your process was ended while you worked on the last message. Go on with it.'

/** One run of an agent that is a program: a prompt, or the answers to its questions, and all that follows. */
class SessionRun {
  readonly #pool: SessionPool
  readonly #provider: string
  readonly #input: RunAgentInput
  readonly #wire = new SessionAgui()
  readonly #usage: TokenUsage[] = []
  #failure: { readonly code: string; readonly message: string } | undefined
  #providerStatus: number | null = null
  #prompt = { id: '', text: '' }
  #restarts = 0
  #hasWritten = false
  /** The next idle is that of a prompt which the program does not run again. */
  #isGoingOn = false

  constructor(pool: SessionPool, provider: string, input: RunAgentInput) {
    this.#pool = pool
    this.#provider = provider
    this.#input = input
  }

  async *events(signal: AbortSignal): AsyncGenerator<WireEvent, void> {
    const { threadId, runId } = this.#input
    yield { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }
    let life = await this.#pool.open(this.#input)
    let isOver = false
    try {
      await this.#begin(life)
      for (;;) {
        const event = await life.next(signal)
        if (event === undefined) {
          yield* this.#wire.close()
          life = await this.#restart(life)
          continue
        }
        yield* this.#wire.take(event)
        if (event.type === 'prompt_known') await this.#goOn(life)
        const end = this.#end(event, life)
        if (!end) continue
        isOver = true
        yield* this.#wire.close()
        return yield end
      }
    } finally {
      this.#pool.release(threadId, isOver ? 'over' : 'cut off')
    }
  }

  async #begin(life: SessionLife): Promise<void> {
    const { threadId, runId: id, resume: answers = [] } = this.#input
    if (answers.length === 0) {
      const hasHeard = this.#pool.heard.has(threadId)
      const text = promptText(this.#input, hasHeard ? 'has heard' : 'is new')
      return this.#write(life, { id, text })
    }
    const asked = answers.flatMap(({ interruptId, payload }) => {
      const question = life.asked.get(interruptId)
      return question ? [{ question, payload }] : []
    })
    // A program that has ended meanwhile has not used the tool, and reads that.
    if (asked.length === 0) {
      const text = `${GO_ON} What you asked permission for was not done.`
      return this.#write(life, { id, text })
    }
    this.#hasWritten = true
    for (const { question, payload } of asked) {
      life.asked.delete(question.request)
      await life.session.answer(question.request, permissionAnswer(payload, question.input))
    }
  }

  async #write(life: SessionLife, prompt: { id: string; text: string }): Promise<void> {
    this.#prompt = prompt
    await life.session.prompt(prompt)
    this.#hasWritten = true
    this.#pool.heard.add(this.#input.threadId)
  }

  /** The same prompt under the same id: the program does not run it twice. */
  async #restart(life: SessionLife): Promise<SessionLife> {
    const failure = exitError(await life.session.exited)
    const mayRestart = failure.code === 'program_exited' && ++this.#restarts <= PROGRAM_RESTARTS_MAX
    if (!mayRestart || this.#prompt.id === '') throw failure
    const again = await this.#pool.open(this.#input)
    await this.#write(again, this.#prompt)
    return again
  }

  /** Its process ended while it worked on the prompt: it has the prompt, but its answer may be half. */
  #goOn(life: SessionLife): Promise<void> {
    this.#isGoingOn = true
    return this.#write(life, { id: crypto.randomUUID(), text: GO_ON })
  }

  /** The end of the run, if it ends with this event. */
  #end(event: SessionEvent, life: SessionLife): WireEvent | undefined {
    if (event.type === 'provider_failed') this.#providerStatus = event.status
    if (event.type === 'turn_ended') this.#takeTurn(event)
    if (event.type === 'permission_withdrawn') life.asked.delete(event.request)
    if (event.type === 'idle') return this.#idle()
    if (event.type !== 'permission_asked') return undefined
    life.asked.set(event.request, event)
    return this.#interrupted(event)
  }

  #idle(): WireEvent | undefined {
    const isOver = this.#hasWritten && !this.#isGoingOn
    this.#isGoingOn = false
    if (!isOver) return undefined
    if (this.#failure) return this.#ended({ type: 'RUN_ERROR', ...this.#failure })
    const { threadId, runId } = this.#input
    return this.#ended({ type: 'RUN_FINISHED', threadId, runId })
  }

  #takeTurn({ usageByModel, outcome, code, text }: TurnEnded): void {
    this.#usage.push(...usageByModel.map((used) => tokenUsage(used, this.#provider)))
    if (outcome === 'success') return
    const isAuth = this.#providerStatus === 401 || this.#providerStatus === 403
    const message = text === '' ? 'The program says that its turn failed' : text
    this.#failure = { code: isAuth ? 'auth_failed' : code, message }
  }

  #ended(end: WireEvent): WireEvent {
    return this.#usage.length > 0 ? { ...end, usage: this.#usage } : end
  }

  #interrupted({ request, call, toolName, input }: PermissionAsked): WireEvent {
    const { threadId, runId } = this.#input
    const interrupt = {
      id: request,
      reason: 'tool_approval',
      message: permissionQuestion(toolName, input),
      ...(call === null ? {} : { toolCallId: call }),
      responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
    }
    const outcome = { type: 'interrupt', interrupts: [interrupt] }
    return this.#ended({ type: 'RUN_FINISHED', threadId, runId, outcome })
  }
}
