import type {
  PermissionAnswer,
  ProgramExit,
  SessionEvent,
  TurnEnded,
} from 'throughline/server/extend'
import type { ProgramWish, Programs, TeamProgram } from './index.ts'

const USAGE = { inputTokens: 3, outputTokens: 5, cacheReadTokens: 0, cacheCreationTokens: 0 }

/** The program's reply to a prompt, which ends well unless it says how; `hang` says nothing, `die` ends the process. */
export type Script = (text: string, id: string) => readonly SessionEvent[] | 'hang' | 'die'

/** A program in this process: answers each prompt by its script, once for each id, as the real one does. */
export class ScriptedProgram implements TeamProgram {
  readonly pid = 4_242
  readonly ready = Promise.resolve()
  readonly written: string[] = []
  readonly answers: unknown[] = []
  readonly #exit = Promise.withResolvers<ProgramExit>()
  readonly #script: Script
  #waiting: SessionEvent[] = []
  #news = Promise.withResolvers<void>()
  #isOver = false

  constructor(script: Script, model = 'scripted') {
    this.#script = script
    const tools = ['Read', 'Write', 'Bash']
    this.say({
      type: 'session',
      sessionId: 'conversation-1',
      model,
      tools,
      version: '2.1.330',
      authSource: null,
    })
  }

  get exited(): Promise<ProgramExit> {
    return this.#exit.promise
  }

  async *events() {
    for (;;) {
      if (this.#waiting.length > 0) yield this.#waiting.splice(0)
      else if (this.#isOver) return
      else {
        this.#news = Promise.withResolvers()
        await this.#news.promise
      }
    }
  }

  say(...events: readonly SessionEvent[]): void {
    this.#waiting.push(...events)
    this.#news.resolve()
  }

  async prompt({ id, text }: { readonly id: string; readonly text: string }): Promise<void> {
    this.written.push(text)
    const said = this.#script(text, id)
    if (said === 'die') return this.die()
    this.say({ type: 'prompt_taken', prompt: id })
    if (said === 'hang') return
    const hasEnded = said.some(({ type }) => type === 'turn_ended')
    this.say(...said, ...(hasEnded ? [] : [turnOf(id)]), { type: 'idle' })
  }

  async interrupt(): Promise<void> {
    this.answers.push('interrupt')
  }

  async answer(request: string, answer: PermissionAnswer): Promise<void> {
    this.answers.push({ request, answer })
  }

  die(exit: Partial<ProgramExit> = {}): void {
    this.#isOver = true
    this.#exit.resolve({ reason: 'exited', code: 1, signal: null, stderr: '', ...exit })
    this.#news.resolve()
  }

  async stop(): Promise<ProgramExit> {
    this.die({ reason: 'stopped', code: 143 })
    return this.exited
  }
}

export function turnOf(id: string): TurnEnded {
  return {
    type: 'turn_ended',
    prompts: [id],
    outcome: 'success',
    taskRun: null,
    code: '',
    text: 'Done.',
    steps: 1,
    costUsd: 0.01,
    usage: USAGE,
    usageByModel: [],
  }
}

export function saying(text: string): readonly SessionEvent[] {
  return [
    {
      type: 'message',
      message: 'msg_1',
      parent: null,
      isAborted: false,
      model: 'm',
      blocks: [{ type: 'text', text }],
    },
  ]
}

/** Programs that follow one script, in the order of their starts. */
export function scriptedPrograms(
  script: Script,
  model = 'scripted',
): Programs & {
  readonly started: ScriptedProgram[]
  readonly wishes: ProgramWish[]
} {
  const started: ScriptedProgram[] = []
  const wishes: ProgramWish[] = []
  return {
    model,
    started,
    wishes,
    async open(wish) {
      const program = new ScriptedProgram(script, model)
      started.push(program)
      wishes.push(wish)
      return program
    },
  }
}
