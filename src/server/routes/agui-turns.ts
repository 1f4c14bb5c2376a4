import { AgentError } from '../../agents/index.ts'
import type {
  AgentTurn,
  ClientMessage,
  DirectEvent,
  PageRequest,
  TurnRequest,
} from '../../agents/index.ts'
import type { WaitingTurn } from '../../activity/index.ts'
import type { AskedWait } from '../../application/index.ts'
import { interruptAnswers, requireText, toolResults, userMessages } from './agui-input.ts'
import type { RunInput } from './agui-input.ts'
import type { FramePosition } from '../../faces/index.ts'
import { ProblemError } from '../problems/problem.ts'
import { requireAnswerable, surfaceOf } from './thread-entry.ts'
import type { Entered } from './thread-entry.ts'

/** The answer to a request for a run: the frames of a turn, or the thread with its open question. */
export type AguiTurn =
  | { readonly shows: 'turn'; readonly turn: string }
  | { readonly shows: 'thread' }

export interface AguiRequest extends RunInput {
  readonly agent: string
  readonly events: readonly DirectEvent[]
  /** Names the messages of the request. */
  readonly history: string
  /** What an agent on another server may be sent of the request. */
  readonly page?: PageRequest
  /** It answers what is asked, and asks the agent nothing itself. */
  readonly answersOnly?: boolean
}

export interface AguiTurnOptions {
  /** The frame after which the reader goes on: its turn must be known, and hold it. */
  readonly after: FramePosition | undefined
  /** Returns the seq of a record. */
  readonly positionOf: (id: string) => Promise<number | undefined>
  /** Told which answers are to no open question. They are left out. */
  readonly unasked: (interruptIds: readonly string[]) => void
  /** Called before a turn begins. Throws when there may be none. */
  readonly admit: () => void
  /** Told why a turn died. */
  readonly failed: (error: unknown) => void
}

/**
 * Finds the turn that a request names, or begins it. A run that the thread knows by the client's id never
 * runs again; answers to an open question make a new turn, whatever id the client gives it.
 */
export async function aguiTurn(
  entered: Entered,
  request: AguiRequest,
  options: AguiTurnOptions,
): Promise<AguiTurn> {
  const { thread, owner } = entered
  const { runs } = owner
  const { agent } = request
  const waiting = await runs.waiting(thread, { agent })
  const { after } = options
  if (after) return resumedTurn(entered, request, { ...options, after, waiting })
  const { answers, results, unasked } = sortAnswers(waiting, request)
  const isAnswer = answers.length + results.length > 0
  const known = isAnswer ? undefined : await knownTurn(entered, request)
  if (known) return { shows: 'turn', turn: known.turn }
  if (unasked.length > 0) options.unasked(unasked)
  if (isAnswer) {
    requireText(request.input.messages, new Set(results.map(({ messageId }) => messageId ?? '')))
    options.admit()
    const part = await clientPart(entered, request)
    return begun(runs.answer(thread, { agent, answers, results, ...part }), options)
  }
  if (isQuestion(waiting)) return { shows: 'thread' }
  const { events } = request
  const part = await clientPart(entered, request)
  // Its client wanted to answer, and there is nothing to answer: the model is not asked for that.
  const saysNothing = part.messages.length + events.length === 0
  if (request.answersOnly || (unasked.length > 0 && saysNothing)) return { shows: 'thread' }
  options.admit()
  return beginTurn(entered, { ...part, agent, ...(events.length > 0 && { events }) }, options)
}

async function beginTurn(
  { thread, owner, begins, as }: Entered,
  request: TurnRequest,
  options: AguiTurnOptions,
): Promise<AguiTurn> {
  try {
    const given = { ...request, surface: as.surface, begins }
    return await begun(owner.runs.start(thread, given), options)
  } catch (error) {
    // Another request was first, and its turn has asked.
    if (error instanceof AgentError && error.code === 'waiting_for_input') {
      return { shows: 'thread' }
    }
    throw error
  }
}

/** The turn that a request has begun before, by its answers or by its run id. */
async function knownTurn({ thread, owner }: Entered, { agent, input }: AguiRequest) {
  const answers = interruptAnswers(input)
  const byAnswers =
    answers.length > 0 ? await owner.runs.turnOfAnswers(thread, { agent, answers }) : undefined
  return byAnswers ?? owner.runs.turnOfWire(thread, input.runId)
}

interface Resumption extends Pick<AguiTurnOptions, 'positionOf'> {
  readonly after: FramePosition
  readonly waiting: WaitingTurn | undefined
}

/** Returns the turn that a reader resumes: a request with a cursor starts no run. */
async function resumedTurn(
  entered: Entered,
  request: AguiRequest,
  { after, waiting, positionOf }: Resumption,
): Promise<AguiTurn> {
  const known = await knownTurn(entered, request)
  if (!known) {
    if (after.isPrelude && isQuestion(waiting)) return { shows: 'thread' }
    throw unknownFrame()
  }
  const first = await positionOf(known.turn)
  if (after.isPrelude || after.seq < (first ?? 0)) throw unknownFrame()
  return { shows: 'turn', turn: known.turn }
}

function unknownFrame(): ProblemError {
  const detail =
    'Cannot go on after this frame: the run has no such frame; send the request without Last-Event-ID, or join the thread with /connect'
  return new ProblemError('invalid_cursor', 400, { detail })
}

/** @throws {@link ProblemError} `forbidden` when the sender may not answer what a request answers */
export async function requireOwnAnswers(
  entered: Entered,
  agent: string,
  input: RunInput['input'],
): Promise<void> {
  const answered = await answeredBy(entered, agent, input)
  if (answered.length > 0 || (input.resume?.length ?? 0) > 0) requireAnswerable(entered, answered)
}

/** The open questions of an agent, and the calls of a page's own tools, that a client answers. */
async function answeredBy(
  { thread, owner }: Pick<Entered, 'thread' | 'owner'>,
  agent: string,
  input: RunInput['input'],
): Promise<readonly AskedWait[]> {
  const { waits = [], surface } = (await owner.runs.waiting(thread, { agent })) ?? {}
  const ids = new Set(interruptAnswers(input).map(({ interruptId }) => interruptId))
  const calls = new Set(toolResults(input).map(({ toolCallId }) => toolCallId))
  const named = waits.filter(
    ({ id, reason, toolCallId }) =>
      ids.has(id) || (reason === 'client_tool' && calls.has(toolCallId)),
  )
  return named.map((wait) => ({ wait, ...(surface === undefined ? {} : { surface }) }))
}

function isQuestion(waiting: WaitingTurn | undefined): boolean {
  return waiting?.waits.some(({ reason }) => reason !== 'client_tool') ?? false
}

async function begun(turn: AgentTurn<unknown>, { failed }: AguiTurnOptions): Promise<AguiTurn> {
  turn.result.catch(failed)
  await turn.started
  return { shows: 'turn', turn: turn.run }
}

/** The answers and results of a request that fit what the thread waits for, and the answers that do not. */
function sortAnswers(waiting: WaitingTurn | undefined, { input }: RunInput) {
  const waits = waiting?.waits ?? []
  const asked = new Set(waits.map(({ id }) => id))
  const calls = new Set(
    waits.flatMap(({ reason, toolCallId }) => (reason === 'client_tool' ? [toolCallId] : [])),
  )
  const given = interruptAnswers(input)
  return {
    answers: given.filter(({ interruptId }) => asked.has(interruptId)),
    results: toolResults(input).filter(({ toolCallId }) => calls.has(toolCallId)),
    unasked: given.map(({ interruptId }) => interruptId).filter((id) => !asked.has(id)),
  }
}

/** Returns the client's own parts of a request: its id of the run, new messages, tools and context. */
async function clientPart(
  { thread, owner, caller }: Entered,
  { agent, input, history, page }: AguiRequest,
) {
  const written = userMessages(input)
  const ids = written.map(({ id }) => id)
  const known = await owner.runs.knownMessages(thread, ids)
  await requireOwnId({ thread, owner, agent }, written.at(-1))
  const messages = written.filter(({ id }) => !known.has(id))
  return {
    wire: { runId: input.runId, history },
    messages,
    tools: input.tools ?? [],
    ...(input.context && { context: input.context }),
    ...(page && { page }),
    ...caller,
  }
}

/**
 * The newest message is what its author says now: it must not get lost behind an older one of its id. The
 * messages before it may differ; their client gets the thread's.
 *
 * @throws {@link AgentError} `invalid_request`
 */
async function requireOwnId(
  { thread, owner, agent }: Pick<Entered, 'thread' | 'owner'> & { readonly agent: string },
  newest: ClientMessage | undefined,
): Promise<void> {
  const { conversation } = await owner.gate.snapshot(thread)
  const held = conversation.messages.find(({ id }) => id === newest?.id)
  if (!newest || !held) return
  const isSame = held.role === 'user' && held.text === newest.text && hasFilesOf(held, newest)
  const isTo = held.surface === surfaceOf(owner, agent)
  if (isSame && isTo) return
  const other = isSame ? 'this message, said to another agent,' : 'another message'
  const why = `the thread holds ${other} under this id; give a new message a new id`
  throw new AgentError('invalid_request', `Cannot take the message "${newest.id}": ${why}`)
}

/** A page may have learnt of their types otherwise. */
function hasFilesOf(
  one: Pick<ClientMessage, 'files'>,
  other: Pick<ClientMessage, 'files'>,
): boolean {
  const [values, others] = [one, other].map(({ files = [] }) =>
    files.map(({ source }) => source.value),
  )
  return values?.join('\n') === others?.join('\n')
}
