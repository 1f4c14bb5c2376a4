import type { RunAgentInput } from '@ag-ui/core'
import { PROGRAM_SESSIONS_MAX } from '../limits.ts'
import { ProgramError } from '../program-error.ts'
import type { ProgramSession } from './session.ts'
import { RecentIds } from '../recent-ids.ts'
import { SessionLife } from './session-life.ts'
import type { Left } from './session-life.ts'
import { inBackground } from '../../platform/index.ts'

export interface StartedSession {
  /** The conversation as the program has stored it, or a new one under this id. */
  readonly memory: 'resumed' | 'new'
  readonly conversation: string
  readonly instructions: string
  /** The run goes on with work that a process which has ended had begun. */
  readonly isUnderWay: boolean
}

export type StartSession = (parts: StartedSession) => Promise<ProgramSession>

/** The sessions of one program: at most one process for each conversation. */
export class SessionPool {
  readonly #start: StartSession
  readonly #lives = new Map<string, SessionLife>()
  readonly #busy = new Set<string>()
  /** Conversations that a process of ours has resumed, or has had a prompt of. */
  readonly heard = new Set<string>()
  /** Conversations that a program could not go on with. */
  readonly #lost = new RecentIds()
  readonly #settling = new Map<string, Promise<unknown>>()

  constructor(start: StartSession) {
    this.#start = start
  }

  /** A session that answers, in the conversation of this run. `work` is what the run goes on with. */
  async open(input: RunAgentInput, work: 'none' | 'under way' = 'none'): Promise<SessionLife> {
    const { threadId: conversation } = input
    await this.#settling.get(conversation)
    this.#busy.add(conversation)
    const known = this.#lives.get(conversation)
    // A run that answers nothing passes over what was asked: its work would hold up the prompt for good.
    if (known && work === 'none' && known.asked.size > 0) await known.settle()
    if (known && !known.session.hasExited) {
      known.session.hold(true)
      return known
    }
    const left = await known?.left()
    this.#makeRoom(conversation)
    const life = await this.#begin(input, { left, isUnderWay: work === 'under way' })
    this.#lives.set(conversation, life)
    return life
  }

  /** A run has ended. One that was cut off leaves work that is ended before the next run. */
  release(conversation: string, how: 'over' | 'cut off'): void {
    this.#busy.delete(conversation)
    const life = this.#lives.get(conversation)
    if (!life) return
    if (how === 'over') return life.session.hold(false)
    const settled = life.settle().finally(() => {
      this.#settling.delete(conversation)
      life.session.hold(false)
    })
    this.#settling.set(conversation, settled)
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#lives.values(), ({ session }) => session.stop()))
    this.#lives.clear()
  }

  /** Only the program knows whether it has the conversation: both ways are tried, the likely one first. */
  async #begin(input: RunAgentInput, began: Began): Promise<SessionLife> {
    const { threadId, messages } = input
    const isKnown = this.heard.has(threadId) || messages.some(({ role }) => role === 'assistant')
    try {
      return await this.#startAs(isKnown ? 'resumed' : 'new', input, began)
    } catch (first) {
      if (!mayBeOtherwise(first, isKnown)) throw first
      if (isKnown) this.#lost.add(threadId)
      if (isKnown) this.heard.delete(threadId)
      const other = isKnown ? 'new' : 'resumed'
      return this.#startAs(other, input, began).catch((second: unknown) => {
        throw second instanceof ProgramError && second.code === 'no_conversation' ? first : second
      })
    }
  }

  async #startAs(
    memory: StartedSession['memory'],
    { threadId: conversation, context }: RunAgentInput,
    { left, isUnderWay }: Began,
  ): Promise<SessionLife> {
    const instructions = context.map(({ value }) => value).join('\n')
    try {
      const session = await this.#start({ memory, conversation, instructions, isUnderWay })
      await session.ready
      if (memory === 'resumed') this.heard.add(conversation)
      const isAnew = memory === 'new' && this.#lost.has(conversation)
      return new SessionLife(session, { left, isAnew })
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      throw new ProgramError(error.code, error.message, { cause: error, isUnreached: true })
    }
  }

  #makeRoom(conversation: string): void {
    for (const [name, { session }] of this.#lives) if (session.hasExited) this.#lives.delete(name)
    if (this.#lives.size < PROGRAM_SESSIONS_MAX) return
    const idle = [...this.#lives].find(([name]) => !this.#busy.has(name) && name !== conversation)
    if (!idle) {
      const why = `${PROGRAM_SESSIONS_MAX} sessions of it are at work`
      throw new ProgramError('busy', `Cannot start the program: ${why}`, { isUnreached: true })
    }
    this.#lives.delete(idle[0])
    inBackground(idle[1].session.stop())
  }
}

interface Began {
  readonly left: Left | undefined
  readonly isUnderWay: boolean
}

/** A program that does not answer while it loads a conversation may begin another. */
function mayBeOtherwise(error: unknown, wasLoading: boolean): boolean {
  if (!(error instanceof ProgramError)) return false
  if (error.code === 'start_timeout') return wasLoading
  return error.code === 'program_exited' || error.code === 'no_conversation'
}
