import type { RunAgentInput, TokenUsage } from '@ag-ui/core'
import type { Program } from '../../agents/index.ts'
import { equalJson } from '../../json/index.ts'
import { programOf } from '../ingest.ts'
import { PROGRAM_RESTARTS_MAX } from '../limits.ts'
import { permissionAnswer, permissionQuestion, questionSchema } from './permission-text.ts'
import { promptText } from '../prompt-text.ts'
import { ProgramError } from '../program-error.ts'
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
const NOT_DONE = 'What you asked permission for was not done.'
const NOT_DONE_YET = 'What you asked permission for was not done; a person agrees to it: ask again.'

const EMPTY = { code: 'empty', message: 'The program answered nothing: no text and no tool call' }

const APPROVAL = { type: 'object', properties: { approved: { type: 'boolean' } } }

/** The CUSTOM event for a conversation that a program has lost, and begins anew. */
export const NEW_CONVERSATION = 'program.new_conversation'
const LOST = 'The program could not go on with its conversation, and has begun a new one'

function unlessEnded(error: unknown): void {
  if (!(error instanceof ProgramError) || error.code !== 'write_failed') throw error
}

/** Why a sub-agent has no end when the run has: one that waits for an answer goes on in the next run. */
function whyUnended({ code, outcome }: WireEvent): string {
  if (typeof code === 'string') return code
  return outcome === undefined ? 'unreported' : ''
}

/** One run of an agent that is a program: a prompt, or the answers to its questions, and all that follows. */
class SessionRun {
  readonly #pool: SessionPool
  readonly #provider: string
  readonly #input: RunAgentInput
  readonly #wire = new SessionAgui()
  readonly #usage: TokenUsage[] = []
  #failure: { readonly code: string; readonly message: string } | undefined
  #needsSignIn = false
  #prompt = { id: '', text: '' }
  #restarts = 0
  /** The program has the answers to its questions, or is done with the prompt. */
  #isAnswered = false
  /** Something came in this run that a caller sees, or the program answered by a command of its own. */
  #hasSaid = false
  /** Calls that a person agreed to after the process that asked had ended. */
  #granted: readonly PermissionAsked[] = []

  constructor(pool: SessionPool, provider: string, input: RunAgentInput) {
    this.#pool = pool
    this.#provider = provider
    this.#input = input
  }

  async *events(signal: AbortSignal): AsyncGenerator<WireEvent, void> {
    const { threadId, runId, resume = [] } = this.#input
    yield { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' }
    let life = await this.#pool.open(this.#input, resume.length > 0 ? 'under way' : 'none')
    let isOver = false
    if (life.isAnew && !this.#pool.heard.has(threadId)) {
      yield { type: 'CUSTOM', name: NEW_CONVERSATION, value: LOST }
    }
    try {
      await this.#begin(life)
      for (;;) {
        const event = await life.next(signal)
        if (event === undefined) {
          yield* this.#wire.close('program_exited')
          life = await this.#restart(life)
          continue
        }
        const events = this.#wire.take(event)
        this.#hasSaid ||= events.length > 0
        yield* events
        if (event.type === 'prompt_known') await this.#goOn(life)
        const end = await this.#end(event, life)
        if (!end) continue
        isOver = true
        yield* this.#wire.close(whyUnended(end))
        return yield end
      }
    } finally {
      this.#pool.release(threadId, isOver ? 'over' : 'cut off')
    }
  }

  async #begin(life: SessionLife): Promise<void> {
    const { runId: id, resume: answers = [] } = this.#input
    if (answers.length === 0) return this.#write(life, { id, text: this.#promptText(life) })
    const asked = answers.flatMap(({ interruptId, payload }) => {
      const question = life.asked.get(interruptId)
      return question ? [{ question, payload }] : []
    })
    // A program that has ended meanwhile has not used the tool, and reads that.
    if (asked.length === 0) return this.#write(life, { id, text: this.#goOnText(life) })
    this.#isAnswered = true
    for (const { question, payload } of asked) {
      life.asked.delete(question.request)
      const answer = permissionAnswer(payload, question)
      // A process that has just ended takes no answer: the next one is told to go on.
      await life.session.answer(question.request, answer).catch(unlessEnded)
    }
  }

  #promptText(life: SessionLife): string {
    const hasHeard = this.#pool.heard.has(this.#input.threadId)
    if (hasHeard) return promptText(this.#input, 'has heard')
    return promptText(this.#input, life.isAnew ? 'begins anew' : 'is new')
  }

  /** A person agreed to a call of a process that has ended. Where the same call is asked for again, the answer holds. */
  #goOnText(life: SessionLife): string {
    const { threadId, resume: answers = [] } = this.#input
    this.#granted = answers.flatMap(({ interruptId, payload }) => {
      const asked = life.askedBefore.get(interruptId)
      const isGranted = asked && permissionAnswer(payload, asked).behavior === 'allow'
      return isGranted ? [asked] : []
    })
    const told = this.#granted.length > 0 ? NOT_DONE_YET : NOT_DONE
    if (this.#pool.heard.has(threadId)) return `${GO_ON} ${told}`
    return `${this.#promptText(life)}\n\n${told}`
  }

  async #write(life: SessionLife, prompt: { id: string; text: string }): Promise<void> {
    this.#prompt = prompt
    this.#isAnswered = false
    await life.session.prompt(prompt)
    this.#pool.heard.add(this.#input.threadId)
  }

  /** The same prompt under the same id: the program does not run it twice. */
  async #restart(life: SessionLife): Promise<SessionLife> {
    const failure = exitError(await life.session.exited)
    const mayRestart = failure.code === 'program_exited' && ++this.#restarts <= PROGRAM_RESTARTS_MAX
    if (!mayRestart) throw failure
    const again = await this.#pool.open(this.#input, 'under way')
    // A process that was answered has no prompt of this run.
    const goOn = { id: this.#input.runId, text: GO_ON }
    await this.#write(again, this.#prompt.id === '' ? goOn : this.#prompt)
    return again
  }

  /** Its process ended while it worked on the prompt: it has the prompt, but its answer may be half. */
  #goOn(life: SessionLife): Promise<void> {
    return this.#write(life, { id: crypto.randomUUID(), text: GO_ON })
  }

  /** The end of the run, if it ends with this event. */
  async #end(event: SessionEvent, life: SessionLife): Promise<WireEvent | undefined> {
    if (event.type === 'provider_failed') this.#needsSignIn = event.needsSignIn
    if (event.type === 'turn_ended') this.#takeTurn(event)
    if (event.type === 'prompt_cancelled') this.#isAnswered ||= event.prompt === this.#prompt.id
    if (event.type === 'permission_withdrawn') life.asked.delete(event.request)
    if (event.type === 'idle') return this.#idle()
    if (event.type !== 'permission_asked' || (await this.#grants(event, life))) return undefined
    life.asked.set(event.request, event)
    return this.#interrupted(event)
  }

  /** Whether a person has agreed to this very call already. */
  async #grants(asked: PermissionAsked, life: SessionLife): Promise<boolean> {
    const { request, toolName, input } = asked
    const granted = this.#granted.find(
      (each) => each.toolName === toolName && equalJson(each.input, input),
    )
    if (!granted) return false
    this.#granted = this.#granted.filter((each) => each !== granted)
    await life.session.answer(request, { behavior: 'allow', input })
    return true
  }

  /** A turn that nobody prompted may have ended before. */
  #idle(): WireEvent | undefined {
    if (!this.#isAnswered) return undefined
    const isEmpty = this.#prompt.id !== '' && !this.#hasSaid
    const failure = this.#failure ?? (isEmpty ? EMPTY : undefined)
    if (failure) return this.#ended({ type: 'RUN_ERROR', ...failure })
    const { threadId, runId } = this.#input
    return this.#ended({ type: 'RUN_FINISHED', threadId, runId })
  }

  #takeTurn({ prompts, usageByModel, outcome, code, text, steps }: TurnEnded): void {
    // A command, such as to clear the conversation, calls no model.
    this.#hasSaid ||= steps === 0
    if (prompts.includes(this.#prompt.id)) this.#isAnswered = true
    this.#usage.push(...usageByModel.map((used) => tokenUsage(used, this.#provider)))
    if (outcome === 'success') return
    const message = text === '' ? 'The program says that its turn failed' : text
    this.#failure = { code: this.#needsSignIn ? 'auth_failed' : code, message }
  }

  #ended(end: WireEvent): WireEvent {
    return this.#usage.length > 0 ? { ...end, usage: this.#usage } : end
  }

  #interrupted(asked: PermissionAsked): WireEvent {
    const { request, call, questions } = asked
    const { threadId, runId } = this.#input
    const question = questions
      ? { reason: 'input_required', responseSchema: questionSchema(questions) }
      : { reason: 'tool_approval', responseSchema: APPROVAL }
    const interrupt = {
      id: request,
      message: permissionQuestion(asked),
      ...question,
      ...(call === null ? {} : { toolCallId: call }),
    }
    const outcome = { type: 'interrupt', interrupts: [interrupt] }
    return this.#ended({ type: 'RUN_FINISHED', threadId, runId, outcome })
  }
}
