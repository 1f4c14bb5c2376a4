import { PROTOCOL_VERSION } from '@ag-ui/core'
import type { UserMessage } from '@ag-ui/core'
import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { InterruptAnswer } from '../../agents/index.ts'
import { OPERATOR } from '../../application/index.ts'
import { sha256 } from '../../platform/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { historyDigest } from './agui-input.ts'
import { requireOwnAnswers } from './agui-turns.ts'
import type { AguiRequest } from './agui-turns.ts'
import { nothingAsked } from './client-turns.ts'
import type { McpAgent } from './mcp-agents.ts'
import { McpProgress } from './mcp-progress.ts'
import { MCP_ANSWERS_MAX, answerTo, elicitedAnswers, mcpAnswer } from './mcp-questions.ts'
import { MESSAGE_STATES, questionsIn, requireInput, resultOf } from './mcp-result.ts'
import type { MessageState } from './mcp-result.ts'
import type { McpServing } from './mcp-serving.ts'
import { readTurn } from './mcp-turn.ts'
import type { ShownTurn } from './mcp-turn.ts'
import { streamEnd } from './reveal.ts'
import { PROMPT_CHARS_MAX } from './run-routes.ts'
import { requireThreadName } from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

/** The longest id of a request, in characters. */
export const MCP_ID_CHARS_MAX = 200
/** Calls of agents that one server answers at once. */
export const MCP_CALLS_MAX = 1_000

const thread = z.string()

export const askInput = z.strictObject({
  message: z.string().trim().min(1).max(PROMPT_CHARS_MAX).describe('What to say to the agent'),
  thread: thread
    .optional()
    .describe(
      'The thread to go on with, as an earlier result named it. Without it a new one begins',
    ),
  id: z
    .string()
    .min(1)
    .max(MCP_ID_CHARS_MAX)
    .optional()
    .describe('Names this request: sent again with the same id, it is not asked twice'),
})

export const answerInput = z.strictObject({
  thread: thread.describe('The thread of the result that held the questions'),
  answers: z.array(mcpAnswer).min(1).max(MCP_ANSWERS_MAX),
})

/** What the rounds of one call remember. It comes back from the client, so nothing trusts it. */
const roundState = z.strictObject({
  thread: z.string(),
  turn: z.string(),
  jsonFields: z.array(z.string()),
  message: z.enum(MESSAGE_STATES),
})

type Result = CallToolResult | InputRequiredResult

/** One call of a tool, with what its client can do. */
export interface McpRequest {
  readonly agent: McpAgent
  readonly mcpReq: ServerContext['mcpReq']
  /** Whether its client can put a form before a person. */
  readonly canElicit: boolean
}

interface Call extends McpRequest {
  readonly entered: Entered
}

/** The tools of agents, called by one sender. Each call enters its thread anew. */
export class McpCalls {
  readonly #parts: McpServing

  constructor(parts: McpServing) {
    this.#parts = parts
  }

  async ask(given: z.output<typeof askInput>, request: McpRequest): Promise<Result> {
    const { agent, mcpReq } = request
    const state = stateIn(mcpReq)
    const name = state?.thread ?? given.thread ?? (await this.#newThread(agent, given.id))
    return this.#within(request, name, async (call) => {
      if (state) return this.#nextRound(call, state)
      const { message, id = randomUUID() } = given
      const said: UserMessage = { id, role: 'user', content: message }
      const runId = `mcp-ask:${sha256(JSON.stringify([id, message]))}`
      const asked = { ...requestOf(call, { runId, messages: [said] }), answersOnly: false }
      const turn = await this.#turnOf(call, asked)
      if (turn !== undefined) return this.#shown(call, turn, 'taken')
      const waiting = await call.entered.owner.runs.waiting(name, { agent: agent.name })
      if (!waiting) throw nothingAsked()
      return this.#shown(call, waiting.turn, 'not taken')
    })
  }

  async answer(given: z.output<typeof answerInput>, request: McpRequest): Promise<Result> {
    // A form would come in the middle of a call that answers one already.
    const plain = { ...request, canElicit: false }
    return this.#within(plain, given.thread, async (call) => {
      const turn = await this.#answered(call, given.answers.map(answerTo), 'mcp-answer')
      if (turn === undefined) throw nothingAsked()
      return this.#shown(call, turn, 'taken')
    })
  }

  /** Goes on with what a person has given in the forms of the round before. */
  async #nextRound(
    call: Call,
    { turn, jsonFields, message }: z.output<typeof roundState>,
  ): Promise<Result> {
    const answers = elicitedAnswers(call.mcpReq.inputResponses ?? {}, jsonFields)
    // The person has closed the forms: they are not shown again.
    if (answers.length === 0) return this.#shown({ ...call, canElicit: false }, turn, message)
    const answered = await this.#answered(call, answers, 'mcp-elicited')
    // Somebody else has answered first: the turn shows what they did.
    return this.#shown(call, answered ?? turn, message)
  }

  async #answered(
    call: Call,
    answers: readonly InterruptAnswer[],
    way: 'mcp-answer' | 'mcp-elicited',
  ): Promise<string | undefined> {
    const resume = answers.map(({ payload, ...each }) =>
      payload === undefined ? each : { ...each, payload },
    )
    const runId = `${way}:${sha256(JSON.stringify(answers))}`
    const request = { ...requestOf(call, { runId, messages: [] }), answersOnly: true }
    return this.#turnOf(call, { ...request, input: { ...request.input, resume } })
  }

  async #turnOf({ entered, agent }: Call, request: AguiRequest): Promise<string | undefined> {
    await requireOwnAnswers(entered, agent.name, request.input)
    const found = await this.#parts.turns.of(entered, request, { unasked: () => undefined })
    return found.shows === 'turn' ? found.turn : undefined
  }

  /** A thread of the sender's own: the same one for the same id, where something says who they are. */
  async #newThread(agent: McpAgent, id: string | undefined): Promise<string> {
    if (id === undefined) return `mcp-${randomUUID()}`
    const { context, parts } = this.#parts
    const { role, actor, pass, id: sender = role } = await parts.access.entrant(context)
    const isKnown = actor !== undefined || pass !== undefined || role === OPERATOR
    // Of others no more is known than their role and address, and many may have both.
    if (!isKnown) return `mcp-${randomUUID()}`
    const who = actor === undefined ? sender : `${role}:${actor}`
    return `mcp-${sha256(JSON.stringify([who, agent.name, id])).slice(0, 32)}`
  }

  async #within(
    request: McpRequest,
    name: string,
    work: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    const { context, parts, open } = this.#parts
    const { name: agent } = request.agent
    requireThreadName(name, 'thread')
    const entered = await parts.entry.enterToAsk(context, name, agent)
    if (open.size >= MCP_CALLS_MAX) throw tooMany()
    const release = parts.quotas.holdStream(entered.entrant)
    const held = Symbol(name)
    open.add(held)
    try {
      return await work({ ...request, entered })
    } finally {
      open.delete(held)
      release()
    }
  }

  async #shown(call: Call, turn: string, message: MessageState): Promise<Result> {
    const { entered, agent } = call
    const { thread: name, owner } = entered
    const shown = await this.#read(call, turn)
    const waiting = await owner.runs.waiting(name, { agent: agent.name })
    const questions = await questionsIn(entered, { shown, waiting })
    const forms = call.canElicit ? questions.filter(({ isMine }) => isMine) : []
    if (forms.length === 0) return resultOf({ thread: name, agent, shown, questions, message })
    return requireInput(this.#parts.mcp, { thread: name, turn: shown.turn, forms, message })
  }

  async #read({ entered, agent, mcpReq }: Call, turn: string): Promise<ShownTurn> {
    const { context, parts } = this.#parts
    const { thread: name, view, owner } = entered
    const closed: (() => void)[] = []
    const ended = await streamEnd(parts.access, entered, { onceClosed: (act) => closed.push(act) })
    const signal = AbortSignal.any([mcpReq.signal, context.req.raw.signal, parts.closing, ended])
    const progress = progressOf(mcpReq)
    try {
      const shown = await readTurn({
        log: parts.throughline.log,
        thread: name,
        turn,
        view,
        isOpen: async (of) => (await owner.runs.waiting(name, { agent: agent.name }))?.turn === of,
        said: (words) => progress?.say(words),
        signal,
      })
      if (shown) return shown
      throw notToItsEnd(name)
    } finally {
      for (const act of closed) act()
      await progress?.stop()
    }
  }
}

function progressOf({ _meta, notify }: McpRequest['mcpReq']): McpProgress | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return new McpProgress((progress) =>
    notify({ method: 'notifications/progress', params: { progressToken, ...progress } }),
  )
}

/** The same request in AG-UI's terms. Its run id says that it came over MCP. */
function requestOf(
  { entered, agent }: Call,
  given: { readonly runId: string; readonly messages: readonly UserMessage[] },
): AguiRequest {
  const { runId, messages } = given
  const protocol = PROTOCOL_VERSION
  const wire = { threadId: entered.thread, runId, protocolVersion: protocol }
  const input = { ...wire, messages: [...messages], tools: [], context: [], resume: [] }
  const history = historyDigest(input)
  return { input, agent: agent.name, history, events: [], removed: [], protocol }
}

function stateIn({ requestState, inputResponses }: McpRequest['mcpReq']) {
  const text = requestState()
  if (text === undefined && inputResponses === undefined) return undefined
  try {
    return roundState.parse(JSON.parse(String(text)))
  } catch (cause) {
    const detail = 'Cannot read requestState: send back the one of the result that asked for input'
    throw new ProblemError('invalid_body', 400, { detail, options: { cause } })
  }
}

function notToItsEnd(name: string): ProblemError {
  const why = 'the server is closing, or your access has ended'
  const mend = 'the turn goes on: ask again with the same id'
  const detail = `Cannot show the turn in thread "${name}" to its end: ${why}; ${mend}`
  return new ProblemError('draining', 503, { detail })
}

function tooMany(): ProblemError {
  const detail = `Cannot take a call: the server answers ${MCP_CALLS_MAX}; try again later`
  return new ProblemError('too_many_streams', 503, { detail })
}
