import type { RunAgentInput, TokenUsage } from '@ag-ui/core'
import { PROGRAM_RESTARTS_MAX } from './limits.ts'
import { permissionAnswer, promptText } from './prompt-text.ts'
import { exitError } from './session.ts'
import { SessionAgui, tokenUsage } from './session-agui.ts'
import type { WireEvent } from './session-agui.ts'
import type { PermissionAsked, SessionEvent, TurnEnded } from './session-event.ts'
import type { SessionLife } from './session-life.ts'
import type { SessionPool } from './session-pool.ts'

export interface SessionRunParts {
  readonly pool: SessionPool
  /** The provider in whose name tokens are counted. */
  readonly provider: string
  readonly input: RunAgentInput
  readonly signal: AbortSignal
}

const GO_ON = 'Your process was ended while you worked on the last message. Go on with it.'

/** One run of an agent that is a program: a prompt, or the answers to its questions, and all that follows. */
export class SessionRun {
  readonly #parts: SessionRunParts
  readonly #wire = new SessionAgui()
  readonly #usage: TokenUsage[] = []
  #failure: { readonly code: string; readonly message: string } | undefined
  #providerStatus: number | null = null
  #prompt = { id: '', text: '' }
  #restarts = 0
  #hasWritten = false
  /** The next idle is that of a prompt which the program does not run again. */
  #isGoingOn = false

  constructor(parts: SessionRunParts) {
    this.#parts = parts
  }

  async *events(): AsyncGenerator<WireEvent, void> {
    const { input, signal, pool } = this.#parts
    const { threadId, runId } = input
    yield { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }
    let life = await pool.open(input)
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
      pool.release(threadId, isOver ? 'over' : 'cut off')
    }
  }

  async #begin(life: SessionLife): Promise<void> {
    const { input, pool } = this.#parts
    const answers = input.resume ?? []
    if (answers.length === 0) {
      const text = promptText(input, pool.hasHeard(input.threadId) ? 'has heard' : 'is new')
      return this.#write(life, { id: input.runId, text })
    }
    const asked = answers.flatMap(({ interruptId, payload }) => {
      const question = life.asked.get(interruptId)
      return question ? [{ question, payload }] : []
    })
    // A program that has ended meanwhile has not used the tool, and reads that.
    if (asked.length === 0) {
      const text = `${GO_ON} What you asked permission for was not done.`
      return this.#write(life, { id: input.runId, text })
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
    this.#parts.pool.markHeard(this.#parts.input.threadId)
  }

  /** The same prompt under the same id: the program does not run it twice. */
  async #restart(life: SessionLife): Promise<SessionLife> {
    const { input, pool } = this.#parts
    const failure = exitError(await life.session.exited)
    const mayRestart = failure.code === 'program_exited' && ++this.#restarts <= PROGRAM_RESTARTS_MAX
    if (!mayRestart || this.#prompt.id === '') throw failure
    const again = await pool.open(input)
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
    return isOver ? this.#finished() : undefined
  }

  #takeTurn({ usageByModel, outcome, code, text }: TurnEnded): void {
    const { provider } = this.#parts
    this.#usage.push(...usageByModel.map((used) => tokenUsage(used, provider)))
    if (outcome === 'success') return
    const isAuth = this.#providerStatus === 401 || this.#providerStatus === 403
    const message = text === '' ? 'The program says that its turn failed' : text
    this.#failure = { code: isAuth ? 'auth_failed' : code, message }
  }

  #finished(): WireEvent {
    const { threadId, runId } = this.#parts.input
    const usage = this.#usage.length > 0 ? { usage: this.#usage } : {}
    return this.#failure
      ? { type: 'RUN_ERROR', ...this.#failure, ...usage }
      : { type: 'RUN_FINISHED', threadId, runId, ...usage }
  }

  #interrupted({ request, call, toolName, input }: PermissionAsked): WireEvent {
    const { threadId, runId } = this.#parts.input
    const interrupt = {
      id: request,
      reason: 'tool_approval',
      message: `May ${toolName} run with ${JSON.stringify(input).slice(0, 1_000)}?`,
      ...(call === null ? {} : { toolCallId: call }),
      responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
    }
    const usage = this.#usage.length > 0 ? { usage: this.#usage } : {}
    const outcome = { type: 'interrupt', interrupts: [interrupt] }
    return { type: 'RUN_FINISHED', threadId, runId, outcome, ...usage }
  }
}
