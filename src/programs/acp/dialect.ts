import { wellFormedJson } from '../well-formed.ts'
import type { z } from 'zod'
import { shortJson, startOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { PROGRAM_OPEN_MAX } from '../limits.ts'
import type { OutputLine } from '../process/byte-lines.ts'
import { permissionName } from '../permission-name.ts'
import { ProgramError } from '../program-error.ts'
import type { Dialect } from '../session/session.ts'
import type {
  PermissionAnswer,
  Prompt,
  SessionEvent,
  SessionFault,
} from '../session/session-event.ts'
import {
  initialized,
  permissionRequest,
  promptEnded,
  rpcMessage,
  sessionOpened,
  sessionUpdate,
} from './lines.ts'
import type { RpcError, RpcId, RpcMessage } from './lines.ts'
import { PermissionRequests, yesOf } from './permission-requests.ts'
import { turnEnded } from './turn-end.ts'
import type { TurnEnd } from './turn-end.ts'
import { TurnOutput } from './turn-output.ts'

const PROTOCOL_VERSION = 1
const INITIALIZE = 'initialize'
const SESSION = 'session'
const PROMPT = 'prompt:'
/** The codes of JSON-RPC, and of the protocol for an agent without a login. */
const METHOD_NOT_FOUND = -32_601
const AUTH_REQUIRED = -32_000
const DETAIL_CHARS_MAX = 200

type PromptEnd = Pick<TurnEnd, 'prompt' | 'stopped' | 'error'>

const GO_ON =
  'Your process was ended while you worked on the following message. Go on with it; do nothing twice.'

/** A conversation over all processes that it was held in. */
export interface AcpConversation {
  /** The agent's name for it. */
  session: string | undefined
  /** The prompt that was written last, while it has no answer. */
  underWay: string | undefined
}

export interface AcpDialectParts {
  readonly cwd: string
  readonly conversation: AcpConversation
  readonly memory: 'resumed' | 'new'
  /** Told with the first prompt of a new conversation. */
  readonly instructions: string
}

/** The Agent Client Protocol: JSON-RPC, one message a line. */
export class AcpDialect implements Dialect {
  failure: ProgramError | undefined
  readonly #parts: AcpDialectParts
  readonly #events: SessionEvent[] = []
  readonly #replies: string[] = []
  readonly #emit = (event: SessionEvent): void => {
    this.#events.push(event)
  }
  #model = ''
  readonly #output = new TurnOutput(this.#emit, () => this.#model)
  readonly #permissions = new PermissionRequests()
  #agent = { name: '', version: '' }
  #instructions: string
  /** What a person said with a yes, for the next prompt: no answer to a request carries it. */
  readonly #added: string[] = []
  #session: string | undefined
  #prompt: string | undefined
  /** The answer to the prompt has come: words may follow it. */
  #ending: PromptEnd | undefined
  /** The agent has loaded the conversation, and may still repeat it. */
  #isLoaded = false
  #isTaken = false
  #cost: number | undefined
  #costBefore = 0

  constructor(parts: AcpDialectParts) {
    this.#parts = parts
    this.#instructions = parts.memory === 'new' ? parts.instructions : ''
  }

  get isIdle(): boolean {
    return this.#prompt === undefined
  }

  get awaitsQuiet(): boolean {
    return this.#isLoaded || (this.#ending !== undefined && !this.isAsking)
  }

  get isAsking(): boolean {
    return this.#permissions.size > 0
  }

  opening(): readonly string[] {
    const clientCapabilities = {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
    }
    const clientInfo = { name: 'throughline', version: '1' }
    const params = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo }
    return [line({ id: INITIALIZE, method: 'initialize', params })]
  }

  prompt({ id, text }: Prompt): readonly string[] {
    const { conversation } = this.#parts
    // No agent knows a prompt by its id: one that was under way must not be done twice.
    const told = conversation.underWay === id ? `${GO_ON}\n\n${text}` : text
    const texts = [this.#instructions, ...this.#added.splice(0), told].filter((each) => each !== '')
    this.#instructions = ''
    // What the agent has said since its last turn is of a turn that nobody prompted.
    this.#output.end()
    this.#prompt = id
    this.#isTaken = false
    conversation.underWay = id
    const prompt = texts.map((each) => ({ type: 'text', text: each }))
    const params = { sessionId: this.#session, prompt }
    return [line({ id: `${PROMPT}${id}`, method: 'session/prompt', params })]
  }

  interrupt(): readonly string[] {
    const cancel = line({ method: 'session/cancel', params: { sessionId: this.#session } })
    return [cancel, ...this.#withdrawn()]
  }

  answer(request: string, given: PermissionAnswer): readonly string[] {
    const answer = this.#permissions.answer(request, given)
    if (answer && given.behavior === 'allow' && given.message) this.#added.push(given.message)
    return answer ? [line(answer)] : []
  }

  replies(): readonly string[] {
    return this.#replies.splice(0)
  }

  take({ text, fault }: OutputLine): readonly SessionEvent[] {
    if (fault) this.#fault(fault, text)
    if (fault !== 'line_too_long' && text.trim() !== '') this.#read(text, fault !== undefined)
    return this.#events.splice(0)
  }

  quiet(): readonly SessionEvent[] {
    const { session } = this.#parts.conversation
    if (this.#isLoaded && session !== undefined) this.#begin(session)
    if (this.#ending) this.#ended(this.#ending)
    return this.#events.splice(0)
  }

  #read(text: string, isFaulty: boolean): void {
    let message: RpcMessage
    try {
      message = rpcMessage.parse(JSON.parse(text))
    } catch (error) {
      if (!isFaulty) this.#fault(error instanceof SyntaxError ? 'no_json' : 'bad_line', text)
      return
    }
    if (message.method === undefined) this.#takeAnswer(message)
    else if (message.method === 'session/update') this.#takeUpdate(message.params)
    else if (typeof message.id === 'string' || typeof message.id === 'number') {
      this.#takeRequest(message.id, message.method, message.params)
    }
  }

  #takeAnswer({ id, result, error }: RpcMessage): void {
    if (id === INITIALIZE) this.#initialized(result, error)
    else if (id === SESSION) this.#opened(result, error)
    else if (!this.#ending && this.#prompt !== undefined && id === `${PROMPT}${this.#prompt}`) {
      const stopped = error ? undefined : this.#parsed(promptEnded, result)
      const end = { prompt: this.#prompt, stopped, error }
      this.#parts.conversation.underWay = undefined
      if (stopped?.stopReason === 'end_turn') this.#ending = end
      else this.#ended(end)
    } else this.#fault('stray_result', String(id))
  }

  #initialized(result: unknown, error: RpcError | undefined): void {
    const told = error ? undefined : this.#parsed(initialized, result)
    if (!told) return this.#fail('rejected', 'the agent does not begin', error)
    if (told.protocolVersion !== PROTOCOL_VERSION) {
      const why = `it speaks version ${told.protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`
      return this.#fail('rejected', why)
    }
    if (told.agentInfo) this.#agent = told.agentInfo
    const { memory, cwd, conversation } = this.#parts
    const params = { cwd, mcpServers: [] }
    if (memory === 'new') {
      this.#replies.push(line({ id: SESSION, method: 'session/new', params }))
    } else if (told.agentCapabilities?.loadSession === true) {
      const { session: sessionId } = conversation
      this.#replies.push(
        line({ id: SESSION, method: 'session/load', params: { ...params, sessionId } }),
      )
    } else this.#fail('no_conversation', 'the agent loads no conversations')
  }

  #opened(result: unknown, error: RpcError | undefined): void {
    const { memory, conversation } = this.#parts
    // The answer to a load names no session.
    const told = error ? undefined : this.#parsed(sessionOpened, result ?? {})
    const session = memory === 'new' ? told?.sessionId : conversation.session
    if (!told || session === undefined) {
      const code = memory === 'new' ? 'rejected' : 'no_conversation'
      return this.#fail(code, 'the agent opens no session', error)
    }
    conversation.session = session
    const model = told.configOptions?.find(({ id }) => id === 'model')?.currentValue
    this.#model = typeof model === 'string' ? model : this.#agent.name
    if (memory === 'resumed') this.#isLoaded = true
    else this.#begin(session)
  }

  #begin(session: string): void {
    this.#isLoaded = false
    this.#session = session
    const { version } = this.#agent
    this.#emit({ type: 'ready' })
    this.#emit({
      type: 'session',
      sessionId: session,
      model: this.#model,
      tools: [],
      version,
      authSource: null,
    })
  }

  #takeUpdate(params: unknown): void {
    const told = this.#parsed(sessionUpdate, params)
    // An agent repeats a conversation that it loads, before and behind its answer.
    if (!told?.update || this.#session === undefined || told.sessionId !== this.#session) return
    if (told.update.sessionUpdate === 'usage_update') {
      const { cost } = told.update
      if (cost?.currency === 'USD') this.#cost = cost.amount
      return
    }
    if (this.#prompt !== undefined) this.#markTaken(this.#prompt)
    this.#output.take(told.update)
  }

  #takeRequest(id: RpcId, method: string, params: unknown): void {
    const asked =
      method === 'session/request_permission' ? this.#parsed(permissionRequest, params) : undefined
    if (!asked || this.#prompt === undefined || this.#permissions.size >= PROGRAM_OPEN_MAX) {
      return this.#refuse(id, method)
    }
    const { toolCall, options } = asked
    const request = permissionName(`${this.#prompt}.${toolCall.toolCallId}.${id}`)
    this.#markTaken(this.#prompt)
    const call = this.#output.announce(toolCall)
    if (!call) return this.#refuse(id, method)
    this.#permissions.ask(request, { id, options })
    const input = toolCall.rawInput ?? call.input
    const yes = yesOf(options)
    this.#emit({
      type: 'permission_asked',
      request,
      call: toolCall.toolCallId,
      toolName: call.name,
      input,
      ...(yes && yes.kind !== 'allow_once' && { grants: yes.name || yes.optionId }),
    })
  }

  #refuse(id: RpcId, method: string): void {
    const error = { code: METHOD_NOT_FOUND, message: `Cannot do "${method}" here` }
    this.#replies.push(line({ id, error }))
  }

  #markTaken(prompt: string): void {
    if (this.#isTaken) return
    this.#isTaken = true
    this.#emit({ type: 'prompt_taken', prompt })
  }

  #ended(end: PromptEnd): void {
    this.#markTaken(end.prompt)
    this.#output.end()
    this.#prompt = this.#ending = undefined
    this.#withdrawn()
    if (end.error) {
      const { code, message: text } = end.error
      const needsSignIn = code === AUTH_REQUIRED
      const status = needsSignIn ? 401 : null
      this.#emit({ type: 'provider_failed', status, text, needsSignIn, parent: null })
    }
    this.#emit(turnEnded({ ...end, model: this.#model, costUsd: this.#spent() }))
    this.#emit({ type: 'idle' })
  }

  /** Takes back the questions to a person, and returns the lines for the agent. */
  #withdrawn(): readonly string[] {
    return this.#permissions.withdraw().map(({ request, answer }) => {
      this.#emit({ type: 'permission_withdrawn', request })
      return line(answer)
    })
  }

  /** An agent reports the cost of the whole session. */
  #spent(): number | null {
    if (this.#cost === undefined) return null
    const spent = Math.max(0, this.#cost - this.#costBefore)
    this.#costBefore = this.#cost
    return spent
  }

  #parsed<Value>(schema: z.ZodType<Value>, given: unknown): Value | undefined {
    const { success, data } = schema.safeParse(given)
    if (success) return data
    // Read from JSON.
    const detail = shortJson((given ?? null) as Json, DETAIL_CHARS_MAX)
    this.#emit({ type: 'fault', fault: 'bad_line', detail })
    return undefined
  }

  #fault(fault: SessionFault, detail: string): void {
    this.#emit({ type: 'fault', fault, detail: startOf(detail, DETAIL_CHARS_MAX) })
  }

  #fail(code: 'rejected' | 'no_conversation', why: string, error?: RpcError): void {
    const isLocked = error?.code === AUTH_REQUIRED
    const said = error ? `: ${error.message}` : ''
    const message = `Cannot open a session of the agent: ${why}${said}`
    const told = { isUnreached: true }
    this.failure = new ProgramError(isLocked ? 'auth_failed' : code, message, told)
  }
}

function line(message: object): string {
  return wellFormedJson({ jsonrpc: '2.0', ...message })
}
