import { wellFormedJson } from '../well-formed.ts'
import { startOf } from '../../json/index.ts'
import type { OutputLine } from '../process/byte-lines.ts'
import type { PermissionDecider } from '../permissions/permission-rules.ts'
import { RecentIds } from '../recent-ids.ts'
import type { Dialect } from '../session/session.ts'
import type {
  PermissionAnswer,
  Prompt,
  SessionEvent,
  SessionOpened,
} from '../session/session-event.ts'
import { permissionIn, readLine } from './lines.ts'
import type { ClaudeLine, ClaudeResult } from './lines.ts'
import { ClaudeMemory } from './memory.ts'
import { Messages } from './messages.ts'
import { Permissions } from './permissions.ts'
import { ProviderFaults } from './provider-faults.ts'
import { Tasks } from './tasks.ts'
import { TurnUsage } from './usage.ts'

const OPENING_REQUEST = 'initialize'

/** Claude Code's `stream-json`. Prompt ids and `origin` distinguish turns, never their order. */
export class ClaudeDialect implements Dialect {
  readonly #events: SessionEvent[] = []
  readonly #replies: string[] = []
  readonly #emit = (event: SessionEvent): void => {
    this.#events.push(event)
  }
  readonly #messages = new Messages(this.#emit)
  readonly #tasks = new Tasks(this.#emit)
  readonly #permissions: Permissions
  readonly #usage = new TurnUsage()
  readonly #faults = new ProviderFaults(this.#emit)
  readonly #memory: ClaudeMemory
  /** Messages that this process began. */
  readonly #own = new RecentIds()
  /** Prompts that were written and are not answered. */
  readonly #written = new Set<string>()
  /** Prompts that the open turn has taken; absent between turns. */
  #turn: Set<string> | undefined
  #isInterrupted = false
  /** The program itself has said something in the open turn. */
  #hasSpoken = false
  #wasIdle = true
  #session = ''
  #requests = 0

  constructor(memory = new ClaudeMemory(), decider?: PermissionDecider) {
    this.#memory = memory
    this.#permissions = new Permissions(this.#emit, decider)
  }

  get isIdle(): boolean {
    return this.#written.size === 0 && !this.#turn && this.#tasks.areDone
  }

  get isAsking(): boolean {
    return this.#permissions.areOpen
  }

  opening(): readonly string[] {
    return [request(OPENING_REQUEST, { subtype: 'initialize' })]
  }

  prompt({ id, text }: Prompt): readonly string[] {
    this.#written.add(id)
    this.#wasIdle = false
    const message = { role: 'user', content: text }
    return [wellFormedJson({ type: 'user', message, parent_tool_use_id: null, uuid: id })]
  }

  interrupt(): readonly string[] {
    this.#isInterrupted = true
    const id = `interrupt-${++this.#requests}`
    return [request(id, { subtype: 'interrupt', cancel_queued: true })]
  }

  answer(id: string, answer: PermissionAnswer): readonly string[] {
    const isQuestion = this.#permissions.isQuestion(id)
    const lines = this.#permissions.answer(id, answer)
    if (answer.behavior === 'deny' || isQuestion || lines.length === 0) return lines
    if (answer.message === undefined || answer.message === '') return lines
    // The CLI reads no message with a yes: it takes this up in the open turn.
    const text = `I agreed to what you asked permission for, and add: ${answer.message}`
    return [...lines, ...this.prompt({ id: crypto.randomUUID(), text })]
  }

  replies(): readonly string[] {
    return this.#replies.splice(0)
  }

  take({ text, fault }: OutputLine): readonly SessionEvent[] {
    if (fault) this.#emit({ type: 'fault', fault, detail: startOf(text, 200) })
    // A line that has only lost its newline may be whole.
    if (fault !== 'line_too_long' && text.trim() !== '') this.#read(text, fault !== undefined)
    const { isIdle } = this
    if (isIdle && !this.#wasIdle) {
      this.#messages.completeAll()
      this.#emit({ type: 'idle' })
    }
    this.#wasIdle = isIdle
    return this.#events.splice(0)
  }

  #read(text: string, isFaulty: boolean): void {
    const line = readLine(text)
    if (!line) return
    if ('type' in line) {
      if (!this.#isRepeated(line)) this.#takeLine(line)
    } else if (!isFaulty) this.#emit({ type: 'fault', ...line })
  }

  /** The CLI prints some lines twice, and a process that is resumed those of the one before. */
  #isRepeated(line: ClaudeLine): boolean {
    // A prompt keeps its id each time that the CLI repeats it.
    if (line.type === 'user' && line.isReplay === true) return false
    const { lines, messages } = this.#memory
    if ('uuid' in line && typeof line.uuid === 'string' && !lines.add(line.uuid)) return true
    if (line.type !== 'assistant') return false
    const message = `${line.parent_tool_use_id ?? ''} ${line.message.id}`
    // A message comes in several lines.
    if (this.#own.has(message)) return false
    return !messages.add(message) || !this.#own.add(message)
  }

  #takeLine(line: ClaudeLine): void {
    switch (line.type) {
      case 'assistant':
        return this.#takeAssistant(line)
      case 'user':
        return this.#takeUser(line)
      case 'result':
        return this.#takeResult(line)
      case 'system':
        return this.#takeSystem(line)
      case 'command_lifecycle':
        return this.#takeLifecycle(line)
      case 'control_request':
        return this.#takeRequest(line)
      case 'control_response':
        if (line.response.request_id === OPENING_REQUEST) this.#emit({ type: 'ready' })
        return
      case 'control_cancel_request':
        return this.#permissions.withdraw(line.request_id)
      case 'auth_status':
        if (line.error) this.#faults.signIn(line.error)
        return
    }
  }

  #takeAssistant(line: ClaudeLine & { type: 'assistant' }): void {
    const { message, parent_tool_use_id: parent = null } = line
    const speaker = parent ?? null
    if (message.model === '<synthetic>') {
      const texts = message.content.map((block) => (block.type === 'text' ? block.text : ''))
      this.#faults.say(line, { text: texts.join('\n'), parent: speaker })
      return
    }
    if (speaker === null) {
      this.#openTurn(line.user_message_uuids)
      this.#hasSpoken ||= message.content.some((block) => 'text' in block && block.type === 'text')
    }
    const { id, model, content } = message
    this.#messages.take({ parent: speaker, id, model, content, isAborted: line.aborted === true })
  }

  #takeUser(line: ClaudeLine & { type: 'user' }): void {
    const { parent_tool_use_id: parent = null, message, uuid = '', isReplay } = line
    if (isReplay) return this.#takeReplay(uuid)
    if (typeof message.content === 'string') return
    for (const block of message.content) {
      if (block.type === 'tool_result') {
        const fileChange = line.tool_use_result?.type
        this.#messages.answer(block, { parent: parent ?? null, ...(fileChange && { fileChange }) })
        this.#tasks.callAnswered(block.tool_use_id)
      } else if (block.type === 'text' && block.text.startsWith('[Request interrupted by user')) {
        this.#isInterrupted = true
      }
    }
  }

  /** The CLI repeats a prompt when a turn takes it. Outside a turn it repeats one that it has had before. */
  #takeReplay(prompt: string): void {
    if (!this.#written.has(prompt)) return
    if (this.#turn) return this.#takePrompt(this.#turn, prompt)
    this.#written.delete(prompt)
    this.#emit({ type: 'prompt_known', prompt })
  }

  #takePrompt(turn: Set<string>, prompt: string): void {
    if (turn.has(prompt)) return
    turn.add(prompt)
    this.#emit({ type: 'prompt_taken', prompt })
  }

  #openTurn(prompts: readonly string[] = []): void {
    this.#turn ??= new Set()
    for (const prompt of prompts)
      if (this.#written.has(prompt)) this.#takePrompt(this.#turn, prompt)
  }

  #takeResult(line: ClaudeResult): void {
    const prompts = this.#answeredBy(line)
    const taskRun = taskRunOf(line)
    const used = this.#usage.take(line)
    const isStray = !this.#turn && prompts.length === 0 && taskRun === null
    const outcome = this.#outcomeOf(line)
    if (outcome === 'success' && !isStray) this.#sayResult(line)
    this.#messages.complete(null)
    if (isStray) return this.#emit({ type: 'fault', fault: 'stray_result', detail: line.subtype })
    this.#turn = undefined
    for (const prompt of prompts) this.#written.delete(prompt)
    if (taskRun !== null) this.#tasks.turnEnded(taskRun)
    this.#isInterrupted = this.#hasSpoken = false
    const code = outcome === 'success' ? '' : codeOf(line)
    const said = { text: this.#faults.refusal ?? textOf(line), steps: line.num_turns }
    this.#faults.turnEnded()
    this.#emit({ type: 'turn_ended', prompts, taskRun, outcome, code, ...said, ...used })
  }

  #answeredBy({ user_message_uuids: told = [...(this.#turn ?? [])] }: ClaudeResult) {
    return told.filter((prompt) => this.#written.has(prompt))
  }

  /** A command of the CLI, such as `/cost`, answers in the result alone. */
  #sayResult({ result: text = '', uuid: id = crypto.randomUUID() }: ClaudeResult): void {
    if (this.#hasSpoken || text.trim() === '') return
    const content = [{ type: 'text' as const, text }]
    this.#messages.take({ parent: null, id, model: '', content, isAborted: false })
  }

  /** Either says it: a turn whose provider failed has the subtype "success". */
  #outcomeOf({ is_error: isError, subtype, terminal_reason: reason }: ClaudeResult) {
    if (!isError && !subtype.startsWith('error')) return 'success'
    if (this.#faults.refusal !== undefined) return 'error'
    return this.#isInterrupted || reason?.startsWith('aborted') ? 'interrupted' : 'error'
  }

  #takeSystem(line: ClaudeLine & { type: 'system' }): void {
    switch (line.subtype) {
      case 'init': {
        this.#openTurn(line.user_message_uuids)
        this.#memory.session = line.session_id
        return this.#tellSession({
          type: 'session',
          sessionId: line.session_id,
          model: line.model,
          tools: line.tools,
          version: line.claude_code_version,
          authSource: line.apiKeySource ?? null,
        })
      }
      case 'task_started':
        return this.#tasks.start(line)
      case 'task_notification':
        if (typeof line.tool_use_id === 'string') this.#messages.complete(line.tool_use_id)
        return this.#tasks.end(line)
      case 'background_tasks_changed':
        return this.#tasks.keepOnly(line.tasks.map((task) => task.task_id))
      case 'api_retry':
        if (this.#faults.retry(line)) this.#replies.push(...this.interrupt())
        return
      case 'compact_boundary': {
        const { trigger, pre_tokens: tokens = null } = line.compact_metadata
        return this.#emit({ type: 'compacted', trigger, tokensBefore: tokens ?? null })
      }
    }
  }

  /** `init` begins each turn; an unchanged session is reported once. */
  #tellSession(session: SessionOpened): void {
    const told = JSON.stringify(session)
    if (told !== this.#session) this.#emit(session)
    this.#session = told
  }

  #takeLifecycle({
    command_uuid: prompt,
    state,
  }: ClaudeLine & { type: 'command_lifecycle' }): void {
    if (state !== 'cancelled' || this.#turn || !this.#written.delete(prompt)) return
    this.#emit({ type: 'prompt_cancelled', prompt })
  }

  #takeRequest({ request_id: id, request: asked }: ClaudeLine & { type: 'control_request' }): void {
    const permission = permissionIn(asked)
    if (!permission) {
      this.#replies.push(refusal(id, asked.subtype))
      return
    }
    const { tool_name: toolName, tool_use_id: call = null, input } = permission
    const parent = this.#tasks.callOf(permission.agent_id ?? '')
    const wanted = { call: call ?? null, toolName, input, ...(parent !== null && { parent }) }
    this.#replies.push(...this.#permissions.ask(id, wanted))
  }
}

/** The run of the task whose end began the turn; null where a prompt did. */
function taskRunOf({ origin }: ClaudeResult): string | null {
  return origin?.kind === 'task-notification' ? (origin.runId ?? '') : null
}

function textOf({ result, errors = [] }: ClaudeResult): string {
  return result ?? errors.join('\n')
}

/** Versions differ in how they call the end of a turn whose provider failed. */
function codeOf({ subtype }: ClaudeResult): string {
  return subtype === 'success' ? 'api_error' : subtype
}

function request(id: string, asked: Readonly<Record<string, unknown>>): string {
  return wellFormedJson({ type: 'control_request', request_id: id, request: asked })
}

function refusal(id: string, subtype: string): string {
  const error = `Cannot do "${startOf(subtype, 100)}": this host has no such request`
  return wellFormedJson({
    type: 'control_response',
    response: { subtype: 'error', request_id: id, error },
  })
}
