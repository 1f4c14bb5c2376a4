import { customValue } from '../../activity/index.ts'
import { isJsonArray, membersOf, textOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { stableId } from '../../gate/index.ts'
import type { LogRecord, NewEvent } from '../../log/index.ts'
import { customTagged, subagentMark } from '../../step/index.ts'
import type { ProgramAnswer, ProgramQuestion } from '../define/program.ts'
import type { RunOrigin, RunScope } from '../scope/scope.ts'
import { WHOLE_ANSWER } from '../scope/answers.ts'
import { contentOf, resultRecord } from '../scope/tool-result.ts'

/** Puts on record which question of a program a call waits for, so that its answer finds the way back. */
export function questionRecords<State>(
  { turn, origin }: RunScope<State>,
  questions: readonly ProgramQuestion[],
): readonly NewEvent[] {
  const together = questions.map(({ call }) => call.id)
  return questions.map(({ call, questionId, isAnsweredByResult, reason, interrupt }) => ({
    ...customTagged(
      'program_question',
      {
        questionId,
        isAnsweredByResult,
        together,
        ...(interrupt && reason === 'input_required' && { isWhole: true }),
      },
      origin,
    ),
    id: stableId(turn.thread, 'program_question', call.id),
  }))
}

/** The failure of a program that asks while its page has a question: a turn that decides an approval meets it. */
export const PAGE_IS_ASKED = {
  code: 'cannot_ask',
  message: 'Cannot ask: the page has a question of this agent already; answer it first',
  retryable: false,
  retryAfterMs: 0,
}

export interface AnsweredQuestions {
  /** The calls that waited for these answers: the program, not a tool, goes on with them. */
  readonly calls: ReadonlySet<string>
  /** To be appended before the program is asked. */
  readonly records: readonly NewEvent[]
  /** Of all questions that were asked together, those that were answered earlier included. */
  readonly answers: readonly ProgramAnswer[]
}

/** Of a run without a program. */
export const NO_ANSWERS: AnsweredQuestions = { calls: new Set(), records: [], answers: [] }

export async function programAnswers<State>(scope: RunScope<State>): Promise<AnsweredQuestions> {
  const { turn } = scope
  const calls = new Set<string>()
  const records: NewEvent[] = []
  const answers = new Map<string, ProgramAnswer>()
  const together = new Set<string>()
  for (const [call, values] of turn.answers) {
    const question = await questionOf(scope, call)
    if (!question) continue
    const declined = turn.given.has(call)
    const answer: ProgramAnswer = {
      questionId: question.questionId,
      status: declined ? 'cancelled' : 'resolved',
      ...(declined ? {} : { payload: question.isWhole ? (values[WHOLE_ANSWER] ?? null) : values }),
    }
    answers.set(call, answer)
    for (const each of question.together) together.add(each)
    // The result of a question that was declined is the engine's affair.
    if (!declined) calls.add(call)
    records.push(...answerRecords(scope, call, { ...question, ...answer }))
  }
  for (const call of together) {
    const earlier = answers.has(call) ? undefined : await earlierAnswer(scope, call)
    if (earlier) answers.set(call, earlier)
  }
  return { calls, records, answers: [...answers.values()] }
}

interface AskedQuestion {
  readonly questionId: string
  readonly isAnsweredByResult: boolean
  /** The answer is one value, which goes back as it is. */
  readonly isWhole: boolean
  readonly together: readonly string[]
}

async function questionOf<State>(
  { turn, origin }: RunScope<State>,
  call: string,
): Promise<AskedQuestion | undefined> {
  const record = await turn.find(stableId(turn.thread, 'program_question', call))
  const value = record && customValue(record, 'program_question')
  if (!record || value === undefined || !isOf(record, origin)) return undefined
  const { together = null, isAnsweredByResult, isWhole } = membersOf(value)
  return {
    questionId: textOf(value, 'questionId'),
    isAnsweredByResult: isAnsweredByResult === true,
    isWhole: isWhole === true,
    together: isJsonArray(together) ? together.map(String) : [],
  }
}

/** A run at depth 0 goes on under another id; below, it keeps its own. */
function isOf({ origin: of }: LogRecord, { agent, depth, run }: RunOrigin): boolean {
  return of.agent === agent && of.depth === depth && (depth === 0 || of.run === run)
}

function answerRecords<State>(
  { turn, origin }: RunScope<State>,
  call: string,
  { questionId, status, payload = {}, isAnsweredByResult }: AskedQuestion & ProgramAnswer,
): readonly NewEvent[] {
  const value: Json = { questionId, status, payload }
  const record = {
    ...customTagged('program_answer', value, origin),
    id: stableId(turn.thread, 'program_answer', call),
  }
  if (!isAnsweredByResult || status === 'cancelled') return [record]
  const result = { messageId: turn.id(), toolCallId: call, ...subagentMark(origin) }
  return [record, resultRecord(result, contentOf(payload), origin)]
}

async function earlierAnswer<State>(
  { turn }: RunScope<State>,
  call: string,
): Promise<ProgramAnswer | undefined> {
  const record = await turn.find(stableId(turn.thread, 'program_answer', call))
  const value = record && customValue(record, 'program_answer')
  if (value === undefined) return undefined
  const { payload = null } = membersOf(value)
  const questionId = textOf(value, 'questionId')
  if (textOf(value, 'status') === 'cancelled') return { questionId, status: 'cancelled' }
  return { questionId, status: 'resolved', payload }
}
