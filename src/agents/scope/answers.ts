import { GIVEN_UP_CODE } from '../../activity/index.ts'
import { AgentError } from '../define/agent-error.ts'
import type { Pauses, Wait, WaitingTurn } from '../../activity/index.ts'
import { isJsonObject, kindOf, nearestName, quotedNames } from '../../json/index.ts'
import type { Json, JsonObject } from '../../json/index.ts'
import type { ClientAnswers, ClientResult, InterruptAnswer } from './client-request.ts'
import type { Answered } from './scope.ts'
import { contentOf, failedResult } from './tool-result.ts'
import type { GivenResult } from './tool-result.ts'

export interface WaitAnswer {
  readonly wait: Wait
  readonly status: InterruptAnswer['status']
  /** The values on record with the answer; absent where the result is recorded. */
  readonly values?: Answered
  /** The call's result, where the answer is that and no tool runs with it. */
  readonly result?: GivenResult
}

/** The waits of a turn, divided by what a client gave. */
export interface MatchedAnswers {
  readonly answers: readonly WaitAnswer[]
  /** Unanswered still. */
  readonly rest: readonly Wait[]
}

/**
 * Matches values to the open questions: by name, or under a wait's id where two ask for the same name.
 *
 * @throws {@link AgentError} `invalid_values` that names each value that is missing, ambiguous or not asked for
 */
export function answersTo(waits: readonly Wait[], values: Answered): readonly WaitAnswer[] {
  const known = new Set(waits.flatMap(({ id, requestKeys }) => [id, ...Object.keys(requestKeys)]))
  // The reason for a refusal may come without a question.
  if (waits.some(({ reason }) => reason === 'tool_approval')) known.add('reason')
  const unknown = Object.keys(values).find((key) => !known.has(key))
  if (unknown !== undefined)
    throw invalid(`no question asks for "${unknown}"${mendOf(unknown, waits)}`)
  return waits.map((wait) => answered(wait, answer(wait, waits, values)))
}

/**
 * Matches a client's answers, by the interrupts' ids, and the results of its tools, by the calls' ids, to
 * the open questions. An answer that fits no question is left out. The first answer to a question counts.
 *
 * @throws {@link AgentError} `invalid_values` when the payload of an answer does not fit its question
 */
export function matchAnswers(
  waits: readonly Wait[],
  { answers, results }: ClientAnswers,
): MatchedAnswers {
  const matched = waits.map((wait): WaitAnswer | Wait => {
    if (wait.reason === 'client_tool') {
      const result = results.find(({ toolCallId }) => toolCallId === wait.toolCallId)
      return result ? { wait, status: 'resolved', result: resultOf(result) } : wait
    }
    const given = answers.find(({ interruptId }) => interruptId === wait.id)
    return given ? answeredBy(wait, given) : wait
  })
  return {
    answers: matched.filter((each): each is WaitAnswer => 'wait' in each),
    rest: matched.filter((each): each is Wait => !('wait' in each)),
  }
}

/** Ends the calls of the client's own tools that a new message passes over; the other waits stay. */
export function passedOver({ answers, rest }: MatchedAnswers): MatchedAnswers {
  const pending = rest.filter(({ reason }) => reason === 'client_tool')
  const given = pending.map((wait): WaitAnswer => ({ wait, status: 'cancelled', result: GIVEN_UP }))
  return { answers: [...answers, ...given], rest: rest.filter((wait) => !pending.includes(wait)) }
}

/** The calls that a run which waits has left: those of tools and those of sub-agents. */
export function callsOf(
  { run, waits }: Pick<WaitingTurn, 'run' | 'waits'>,
  { suspended }: Pick<Pauses, 'suspended'>,
): readonly string[] {
  return [
    ...waits.filter((wait) => wait.run === run).map(({ toolCallId }) => toolCallId),
    ...suspended
      .filter(({ origin }) => origin.parentRun === run)
      .map(({ parentToolCallId }) => parentToolCallId),
  ]
}

/** The same answers in one order, for an id that is made from them. */
export function inOrder({ answers, results }: ClientAnswers): ClientAnswers {
  return {
    answers: answers
      .map(({ interruptId, status, payload }) => ({
        interruptId,
        status,
        ...(payload === undefined ? {} : { payload }),
      }))
      .toSorted((one, other) => compare(one.interruptId, other.interruptId)),
    results: results
      .map(({ toolCallId, content, error }) => ({
        toolCallId,
        content,
        ...(error === undefined ? {} : { error }),
      }))
      .toSorted((one, other) => compare(one.toolCallId, other.toolCallId)),
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** The result of a call of the client's own tool that it never answered. */
export const GIVEN_UP: GivenResult = failedResult(
  GIVEN_UP_CODE,
  'The conversation went on before this call was answered',
)

/** The name of the value that is the whole answer to a program's own interrupt. */
export const WHOLE_ANSWER = 'answer'

function answeredBy(wait: Wait, { status, payload }: InterruptAnswer): WaitAnswer {
  if (status === 'resolved') {
    if (wait.interrupt && wait.reason === 'input_required') {
      return answered(wait, { [WHOLE_ANSWER]: payload ?? null })
    }
    return answered(wait, answer(wait, [wait], isJsonObject(payload) ? payload : {}))
  }
  if (wait.reason === 'tool_approval') return { wait, status, values: { approved: false } }
  return { wait, status, result: failedResult('declined', 'A person declined to answer') }
}

function answered(wait: Wait, values: Answered): WaitAnswer {
  const { reason, toolCallId } = wait
  if (reason !== 'client_tool') return { wait, status: 'resolved', values }
  return { wait, status: 'resolved', values, result: contentOf(values[toolCallId] ?? null) }
}

function resultOf({ content, error, messageId }: ClientResult): GivenResult {
  const id = messageId === undefined ? {} : { messageId }
  if (error === undefined) return { content, ...id, by: 'client' }
  return { ...failedResult('tool_failed', content || error), ...id, by: 'client' }
}

function answer(wait: Wait, all: readonly Wait[], values: JsonObject): Answered {
  const own = values[wait.id]
  const given = isJsonObject(own) ? own : values
  const answered: Record<string, Json> = {}
  for (const key of Object.keys(wait.requestKeys)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (value === undefined) throw invalid(`"${key}" is missing (${wait.requestKeys[key]})`)
    const asking = all.filter(({ requestKeys }) => Object.hasOwn(requestKeys, key))
    if (given === values && asking.length > 1) {
      const ids = asking.map(({ id }) => id).join(', ')
      throw invalid(
        `"${key}" is asked for ${asking.length} times; give it under each wait's id: ${ids}`,
      )
    }
    answered[key] = value
  }
  if (wait.reason !== 'tool_approval') return answered
  if (typeof answered['approved'] !== 'boolean') {
    throw invalid(`"approved" must be true or false, and is ${kindOf(answered['approved'])}`)
  }
  // What else a program's own approval asks for, such as other arguments, goes to it. JSON has no undefined.
  if (wait.interrupt) return { ...(given as Answered), ...answered }
  const reason = given['reason']
  return typeof reason === 'string' ? { ...answered, reason } : answered
}

function mendOf(unknown: string, waits: readonly Wait[]): string {
  const names = new Set(waits.flatMap(({ requestKeys }) => Object.keys(requestKeys)))
  const meant = nearestName(unknown, [...names])
  return meant === undefined ? `; it asks for ${quotedNames(names)}` : `: did you mean "${meant}"?`
}

function invalid(why: string): AgentError {
  return new AgentError('invalid_values', `Cannot resume: ${why}`, {
    discreet: 'Cannot resume: the values are not those that the open question asks for',
  })
}
