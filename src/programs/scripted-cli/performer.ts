import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Output } from './output.ts'
import type { Script, ScriptAgent, ScriptStep, ScriptTool } from './script.ts'
import type { SessionFile } from './session-file.ts'

export interface PlayerParts {
  readonly output: Output
  readonly file: SessionFile
  readonly script: Script
  readonly version: string
  readonly model: string
  /** It plays 2.1.197: no life cycle of prompts, no origin, sub-agents in the foreground only. */
  readonly isOld: boolean
}

export interface HostAnswer {
  readonly request_id: string
  readonly response?: {
    readonly behavior?: string
    readonly message?: string
    readonly updatedInput?: { readonly answers?: unknown }
  }
}

interface Scene {
  /** The call of the sub-agent that acts; null for the program itself. */
  readonly parent: string | null
  readonly signal: AbortSignal
}

export interface PerformerHooks {
  readonly onTaskEnded: (run: string, steps: readonly ScriptStep[]) => void
  readonly onIgnoreTerm: () => void
}

const NEVER_MS = 2 ** 31 - 1

/** A turn that does not end well, with the members of its result line. */
export class TurnFailed extends Error {
  override readonly name = 'TurnFailed'
  readonly result: Readonly<Record<string, unknown>>

  constructor(message: string, result: Readonly<Record<string, unknown>>) {
    super(message)
    this.result = { is_error: true, ...result }
  }
}

export class Performer {
  readonly #parts: PlayerParts
  readonly #hooks: PerformerHooks
  readonly #asked = new Map<string, (answer: HostAnswer['response']) => void>()
  readonly #background = new Map<string, PlayedTask>()
  #tasks: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(parts: PlayerParts, hooks: PerformerHooks) {
    this.#parts = parts
    this.#hooks = hooks
  }

  get tasksDone(): Promise<unknown> {
    return this.#tasks
  }

  answer({ request_id: id, response }: HostAnswer): void {
    this.#asked.get(id)?.(response)
  }

  closeInput(): void {
    this.#isClosed = true
    for (const answer of this.#asked.values()) answer({ message: 'Stream closed' })
  }

  /** Plays steps to their end, and gives the last text. */
  async perform(steps: readonly ScriptStep[], scene: Scene): Promise<string> {
    let said = ''
    for (const step of steps) {
      if (scene.signal.aborted) throw this.#interrupted()
      if ('text' in step) said = step.text
      await this.#step(step, scene)
    }
    return said
  }

  async #step(step: ScriptStep, scene: Scene): Promise<void> {
    if ('text' in step) return this.#say(scene, [{ type: 'text', text: step.text }])
    if ('thinking' in step) return this.#say(scene, [{ type: 'thinking', ...step }])
    if ('tool' in step) return this.#use(step.tool, scene)
    if ('agent' in step) return this.#ask(step.agent, scene)
    if ('waitMs' in step) return this.#wait(step.waitMs, scene)
    if ('hang' in step) {
      if (step.ignoresTerm) this.#hooks.onIgnoreTerm()
      return this.#wait(NEVER_MS, { ...scene, signal: new AbortController().signal })
    }
    if ('apiError' in step) {
      const text = `API Error: ${step.apiError.status} ${step.apiError.message}`
      const synthetic = { model: '<synthetic>', is_api_error_message: true }
      this.#say(scene, [{ type: 'text', text }], synthetic)
      // The subtype is "success", as the real CLI has it.
      throw new TurnFailed(text, { subtype: 'success', terminal_reason: 'api_error' })
    }
    this.#print(step)
  }

  #print(step: ScriptStep): void {
    const { output } = this.#parts
    if ('compact' in step) {
      const compact_metadata = { trigger: 'auto', pre_tokens: step.compact.preTokens }
      output.line({ type: 'system', subtype: 'compact_boundary', compact_metadata })
    } else if ('line' in step) output.write(step.line + (step.isHalf ? '' : '\n'))
    else if ('longLine' in step)
      output.write(`{"type":"x","text":"${'x'.repeat(step.longLine)}"}\n`)
    else if ('invalidUtf8' in step) output.write(this.#invalidText())
    else if ('exit' in step) process.exit(step.exit)
    else if ('flood' in step) {
      const content = [{ type: 'text', text: 'x'.repeat(800) }]
      for (let count = 0; count < step.flood; count++) {
        output.write(this.#lineOf(null, content, { id: 'flood' }))
      }
    }
  }

  #invalidText(): Buffer {
    const [before = '', after = ''] = this.#lineOf(null, [{ type: 'text', text: 'a#b' }]).split('#')
    return Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)])
  }

  async #use({ name, input, result, isError = false, asks, alsoSays }: ScriptTool, scene: Scene) {
    const id = `toolu_${randomUUID()}`
    const message = { id: `msg_${randomUUID()}` }
    this.#say(scene, [{ type: 'tool_use', id, name, input }], message)
    const request = { subtype: 'can_use_tool', tool_name: name, input, tool_use_id: id }
    const { refusal, answers } = asks ? await this.#askHost(request, scene.signal) : NO_ANSWER
    if (name === 'Write' && refusal === undefined && !isError) write(input)
    const told = { type: 'tool_result', tool_use_id: id, content: refusal ?? answers ?? result }
    this.#tellUser(scene.parent, [{ ...told, is_error: isError || refusal !== undefined }])
    if (alsoSays !== undefined) this.#say(scene, [{ type: 'text', text: alsoSays }], message)
  }

  /** Asks the host for permission: with its reason where it says no, and its answers to questions. */
  async #askHost(request: object, signal: AbortSignal): Promise<Answered> {
    const request_id = randomUUID()
    if (this.#isClosed) return { ...NO_ANSWER, refusal: 'Stream closed' }
    const answered = new Promise<HostAnswer['response']>((resolve) => {
      this.#asked.set(request_id, resolve)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    this.#parts.output.plain({ type: 'control_request', request_id, request })
    const answer = await answered
    this.#asked.delete(request_id)
    if (signal.aborted) {
      this.#parts.output.plain({ type: 'control_cancel_request', request_id })
      throw this.#interrupted()
    }
    if (answer?.behavior !== 'allow') return { ...NO_ANSWER, refusal: answer?.message ?? 'Denied' }
    const { answers } = answer.updatedInput ?? {}
    const told = answers === undefined ? undefined : `Answered: ${JSON.stringify(answers)}`
    return { ...NO_ANSWER, answers: told }
  }

  async #ask(agent: ScriptAgent, scene: Scene): Promise<void> {
    const { title, report, background = false } = agent
    const call = `toolu_${randomUUID()}`
    const isInBackground = background && !this.#parts.isOld
    const input = { description: title, prompt: title, subagent_type: 'general-purpose' }
    this.#say(scene, [{ type: 'tool_use', id: call, name: 'Agent', input }])
    const task = { id: randomUUID().slice(0, 17), run: randomUUID().slice(0, 18), call, title }
    if (isInBackground) this.#background.set(task.id, task)
    this.#tellTask('task_started', task, { description: title, is_backgrounded: isInBackground })
    const work = this.#work(agent, task, { ...scene, parent: call })
    const content = isInBackground ? 'Async agent launched successfully.' : report
    if (isInBackground) {
      const ended = work.then(() => this.#hooks.onTaskEnded(task.run, agent.afterwards ?? []))
      this.#tasks = Promise.all([this.#tasks, ended])
    } else await work
    const result = { type: 'tool_result', tool_use_id: call, content, is_error: false }
    this.#tellUser(scene.parent, [result])
  }

  async #work({ steps, report }: ScriptAgent, task: PlayedTask, scene: Scene): Promise<void> {
    const isInBackground = this.#background.has(task.id)
    const signal = isInBackground ? new AbortController().signal : scene.signal
    if (isInBackground) await delay(1)
    await this.perform([...steps, { text: report }], { parent: scene.parent, signal })
    this.#background.delete(task.id)
    this.#tellTask('task_updated', task, { patch: { status: 'completed' } })
    this.#tellTask('task_notification', task, { status: 'completed', summary: report })
    if (isInBackground) this.#tellBackground()
  }

  #tellTask(subtype: string, task: PlayedTask, more: Readonly<Record<string, unknown>>): void {
    const run = this.#parts.isOld ? {} : { run_id: task.run }
    if (subtype === 'task_started' && this.#background.has(task.id)) this.#tellBackground()
    const told = { type: 'system', subtype, task_id: task.id, ...run, tool_use_id: task.call }
    this.#parts.output.line({ ...told, ...more })
  }

  #tellBackground(): void {
    const tasks = Array.from(this.#background.values(), ({ id, run, title }) => ({
      task_id: id,
      run_id: run,
      description: title,
    }))
    this.#parts.output.line({ type: 'system', subtype: 'background_tasks_changed', tasks })
  }

  async #wait(ms: number, { signal }: Scene): Promise<void> {
    try {
      await delay(ms, undefined, { signal })
    } catch {
      throw this.#interrupted()
    }
  }

  #interrupted(): Error {
    this.#tellUser(null, [{ type: 'text', text: '[Request interrupted by user]' }])
    return new TurnFailed('', {
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_streaming',
      errors: ['Request was aborted'],
    })
  }

  #say(scene: Scene, content: readonly unknown[], more: MessageOptions = {}): void {
    this.#parts.output.write(this.#lineOf(scene.parent, content, more))
  }

  #lineOf(parent: string | null, content: readonly unknown[], more: MessageOptions = {}): string {
    const { id = `msg_${randomUUID()}`, model = this.#parts.model, ...members } = more
    const usage = { input_tokens: 10, output_tokens: 1 }
    const message = { id, type: 'message', role: 'assistant', model, content, usage }
    const { session } = this.#parts.output
    const line = { type: 'assistant', message, parent_tool_use_id: parent, ...members }
    return `${JSON.stringify({ ...line, session_id: session, uuid: randomUUID() })}\n`
  }

  #tellUser(parent: string | null, content: readonly unknown[]): void {
    const message = { role: 'user', content }
    this.#parts.output.line({ type: 'user', message, parent_tool_use_id: parent })
  }
}

interface Answered {
  readonly refusal: string | undefined
  readonly answers: string | undefined
}

const NO_ANSWER: Answered = { refusal: undefined, answers: undefined }

interface PlayedTask {
  readonly id: string
  readonly run: string
  readonly call: string
  readonly title: string
}

interface MessageOptions {
  readonly id?: string
  readonly model?: string
  readonly is_api_error_message?: boolean
}

/** Does what the real tool does, within the working directory only. */
function write({ file_path: path, content }: ScriptTool['input']): void {
  const target = resolve(String(path))
  if (relative(process.cwd(), target).startsWith('..')) return
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, String(content))
}
