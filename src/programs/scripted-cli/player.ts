import { setTimeout as delay } from 'node:timers/promises'
import type { ScriptStep } from './script.ts'
import type { Prompt } from '../session/session-event.ts'
import { Performer, TurnFailed } from './performer.ts'
import type { HostAnswer, PlayerParts } from './performer.ts'

/** A turn that the CLI begins by itself. */
interface OwnTurn {
  readonly run: string
  readonly steps: readonly ScriptStep[]
}

/** Takes the lines of its host, and plays one turn after another. */
export class Player {
  readonly #parts: PlayerParts
  readonly #performer: Performer
  #queued: Prompt[] = []
  #own: OwnTurn[] = []
  #turn: AbortController | undefined
  #playing = Promise.resolve()
  #results = 0
  #ignoresTerm = false

  constructor(parts: PlayerParts) {
    this.#parts = parts
    this.#performer = new Performer(parts, {
      onTaskEnded: (run, steps) => {
        this.#own.push({ run, steps })
        this.#play()
      },
      onIgnoreTerm: () => {
        this.#ignoresTerm = true
      },
    })
  }

  take(text: string): void {
    if (text.trim() === '') return
    let line: HostLine
    try {
      line = JSON.parse(text) as HostLine
    } catch {
      process.stderr.write('Error parsing streaming input line\n')
      process.exit(1)
    }
    if (line.type === 'user') this.#takePrompt(line)
    else if (line.type === 'control_request') this.#takeRequest(line)
    else if (line.type === 'control_response') this.#performer.answer(line.response)
  }

  /** The host has closed the input: the present prompt is played to its end. */
  async end(): Promise<void> {
    this.#performer.closeInput()
    await this.#playing
    await this.#performer.tasksDone
    await this.#playing
    process.exit(0)
  }

  terminate(): void {
    if (!this.#ignoresTerm) process.exit(143)
  }

  #takePrompt({ uuid: id = '', message }: HostLine & { type: 'user' }): void {
    const { content } = message
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n')
    if (this.#parts.file.has(id)) {
      this.#replay({ id, text }, {})
      return this.#tell(id, 'completed')
    }
    this.#tell(id, 'queued')
    this.#queued.push({ id, text })
    this.#play()
  }

  #takeRequest({ request_id: id, request }: HostLine & { type: 'control_request' }): void {
    const isInterrupt = request.subtype === 'interrupt'
    const cancelled = isInterrupt && this.#turn ? this.#queued.splice(0) : []
    const told = isInterrupt
      ? { still_queued: [], cancelled: cancelled.map((prompt) => prompt.id) }
      : { commands: [], models: [] }
    const response = { subtype: 'success', request_id: id, response: told }
    this.#parts.output.plain({ type: 'control_response', response })
    for (const prompt of cancelled) this.#tell(prompt.id, 'cancelled')
    if (isInterrupt) this.#turn?.abort()
  }

  #play(): void {
    this.#playing = this.#playing.then(async () => {
      // Lines that arrive together are merged.
      await delay(1)
      const prompts = this.#queued.splice(0)
      if (prompts.length > 0) await this.#turnOf(prompts)
      else {
        const own = this.#own.shift()
        if (own) await this.#run([], own)
      }
    })
  }

  async #turnOf(prompts: readonly Prompt[]): Promise<void> {
    for (const { id } of prompts) this.#tell(id, 'started')
    await this.#run(prompts)
    for (const { id } of prompts) this.#tell(id, 'completed')
  }

  async #run(prompts: readonly Prompt[], own?: OwnTurn): Promise<void> {
    const { output, file, script, isOld } = this.#parts
    this.#turn = new AbortController()
    // 2.1.197 has a prompt in its history from its start on, and then never runs it again.
    if (isOld) file.answer(prompts.map((prompt) => prompt.id))
    this.#init(prompts)
    for (const prompt of prompts) this.#replay(prompt, { timestamp: new Date().toISOString() })
    let end: Readonly<Record<string, unknown>> = { subtype: 'success', is_error: false }
    let result = ''
    try {
      const steps = own?.steps ?? script(prompts.map((prompt) => prompt.text))
      result = await this.#performer.perform(steps, { parent: null, signal: this.#turn.signal })
    } catch (error) {
      if (!(error instanceof TurnFailed)) throw error
      end = error.result
      result = error.message
    }
    this.#turn = undefined
    // The history has the answer before anybody reads of it.
    file.answer(prompts.map((prompt) => prompt.id))
    const told = this.#figures(prompts, own)
    // A result that failed on its way has no text.
    const said = end['subtype'] === 'success' ? { result } : {}
    output.line({ type: 'result', ...end, ...said, num_turns: result === '' ? 0 : 1, ...told })
  }

  #figures(prompts: readonly Prompt[], own?: OwnTurn) {
    const { isOld, model } = this.#parts
    const used = {
      inputTokens: 10,
      outputTokens: 5,
      cacheReadInputTokens: 2,
      cacheCreationInputTokens: 1,
      costUSD: 0.001,
    }
    const turns = ++this.#results
    const total = Object.fromEntries(
      Object.entries(used).map(([name, value]) => [name, value * turns]),
    )
    return {
      duration_ms: 1,
      total_cost_usd: used.costUSD * turns,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_input_tokens: 2,
        cache_creation_input_tokens: 1,
      },
      modelUsage: { [model]: total },
      ...(isOld
        ? {}
        : {
            result_index: turns - 1,
            model_usage_since_last_result: { [model]: used },
            ...(own ? { origin: { kind: 'task-notification', runId: own.run } } : {}),
            ...(prompts.length > 0 ? { user_message_uuids: prompts.map(({ id }) => id) } : {}),
          }),
    }
  }

  #init(prompts: readonly Prompt[]): void {
    const { output, version, model } = this.#parts
    output.line({
      type: 'system',
      subtype: 'init',
      cwd: process.cwd(),
      tools: ['Task', 'Bash', 'Read', 'Write'],
      mcp_servers: [],
      model,
      permissionMode: 'default',
      apiKeySource: 'none',
      claude_code_version: version,
      ...(prompts.length > 0 ? { user_message_uuids: prompts.map(({ id }) => id) } : {}),
    })
  }

  #replay({ id, text }: Prompt, more: Readonly<Record<string, unknown>>): void {
    const { output } = this.#parts
    const message = { role: 'user', content: text }
    const repeated = { type: 'user', message, parent_tool_use_id: null, isReplay: true }
    output.plain({ ...repeated, session_id: output.session, uuid: id, ...more })
  }

  #tell(id: string, state: string): void {
    const { isOld, output } = this.#parts
    if (!isOld) output.line({ type: 'command_lifecycle', command_uuid: id, state })
  }
}

/** A line of the host. It is our own program, so its lines are not checked. */
type HostLine =
  | {
      readonly type: 'user'
      readonly uuid?: string
      readonly message: { readonly content: string | readonly { readonly text: string }[] }
    }
  | {
      readonly type: 'control_request'
      readonly request_id: string
      readonly request: { readonly subtype: string }
    }
  | { readonly type: 'control_response'; readonly response: HostAnswer }
