import { filesIn } from './input-file.ts'
import type { InputFile } from './input-file.ts'
import type { LogRecord, Person } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import {
  customValue,
  cutOf,
  isAgentEventType,
  ourMetadata,
  outcomeOf,
  resumedBy,
  turnOf,
} from './agent-event.ts'
import { membersOf, textOf } from '../json/index.ts'
import { CallerCalls } from './caller-calls.ts'
import { isGivenUp, isLate } from './discarded-call.ts'
import { callerEventBase } from './caller-event.ts'
import type {
  CallerEvent,
  CallerEventBase,
  CallerEventBody,
  CompletionUsage,
} from './caller-event.ts'
import { modelCallOf } from './usage.ts'
import { NO_PAUSES, foldPauses, resumedTurns } from './pauses.ts'
import type { OpenApproval, WaitingTurn } from './pauses.ts'
import { waitOf } from './waiting.ts'
import type { Wait } from './waiting.ts'
import { LastText } from './last-text.ts'

interface RunNotes {
  readonly base: CallerEventBase
  /** The turn that goes on with it: another one once it was resumed. */
  turn: string
  /** Undefined until the caller has seen it. */
  readonly prompt: string | undefined
  readonly said: LastText
  completion: { readonly usage: CompletionUsage; readonly finishReason: string } | undefined
}

/**
 * Reads the records of a thread, in order, as the events that a caller of agents sees. What an event
 * says depends on records before it, so a reader that joins late takes the earlier ones first and
 * throws away what they give.
 */
export class CallerView {
  readonly #calls = new CallerCalls()
  readonly #runs = new Map<string, RunNotes>()
  #asked: Wait[] = []
  #pauses = NO_PAUSES
  /** The run that waited when the latest turn passed over it. */
  #passedOver: CallerEventBase | undefined

  /** The turns that wait for an answer, as far as the records were taken. */
  get waiting(): readonly WaitingTurn[] {
    return this.#pauses.waiting
  }

  /** The calls that wait for the approval of another role. */
  get approvals(): readonly OpenApproval[] {
    return this.#pauses.approvals
  }

  /** The events that one record gives: none, one or a few. */
  take(record: LogRecord): readonly CallerEvent[] {
    const bodies = this.#read(record)
    if (record.origin.source !== 'ui') this.#runs.get(record.origin.run ?? '')?.said.take(record)
    this.#pauses = foldPauses(this.#pauses, [record])
    if (bodies.length === 0) return NOTHING
    const base = this.#baseOf(record)
    const events = bodies.map((body) => ({ ...base, ...body }))
    const called = record.type === 'SUBAGENT_STARTED' ? this.#subagentCall(record) : undefined
    return called ? [called, ...events] : events
  }

  /**
   * A call that is given up, or that another role decides later, is an event of the run that made it, not of
   * the turn that ends it.
   */
  #baseOf(record: LogRecord): CallerEventBase {
    const own = callerEventBase(record)
    if (record.type !== 'TOOL_CALL_RESULT') return own
    if (isGivenUp(record)) return { ...(this.#passedOver ?? own), seq: own.seq, ts: own.ts }
    const made = isLate(record) && this.#runs.get(this.#calls.madeBy(callOf(record)))
    return made ? { ...made.base, turn: made.turn, seq: own.seq, ts: own.ts } : own
  }

  #read(record: LogRecord): readonly CallerEventBody[] {
    const { type, data } = record
    switch (type) {
      case 'RUN_STARTED':
        return this.#runStarted(record)
      case 'SUBAGENT_STARTED':
        return this.#subagentStarted(record)
      case 'STEP_STARTED':
        return [...this.#bare(record), { type: 'completion_start', step: textOf(data, 'stepName') }]
      case 'STEP_FINISHED':
        return this.#stepFinished(record)
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        return [this.#ended(record)]
      case 'CUSTOM':
        return this.#custom(record)
      case 'event_refused':
        return [
          { type: 'event_refused', name: textOf(data, 'type'), reason: textOf(data, 'reason') },
        ]
      default:
        if (isAgentEventType(type)) return this.#content(record)
        return [{ type: 'event', name: type, data }]
    }
  }

  /** A turn without a message has an empty prompt. */
  #bare(record: LogRecord): readonly CallerEventBody[] {
    const notes = this.#runs.get(record.origin.run ?? '')
    return notes && notes.prompt === undefined ? this.#begin(record, '') : NOTHING
  }

  #content(record: LogRecord): readonly CallerEventBody[] {
    const { type, data, origin } = record
    const delta = textOf(data, 'delta')
    const messageId = textOf(data, 'messageId')
    switch (type) {
      case 'TEXT_MESSAGE_CONTENT':
        if (origin.source === 'ui') return this.#begin(record, delta, filesIn(data))
        return [{ type: 'chat_output', delta, messageId }]
      case 'REASONING_MESSAGE_CONTENT':
        return [{ type: 'reasoning_content', delta, messageId }]
      default:
        return this.#calls.take(record)
    }
  }

  #runStarted(record: LogRecord): readonly CallerEventBody[] {
    const { origin } = record
    this.#asked = []
    const resume = resumedBy(record)
    if (resume) {
      this.#moveTurns(record)
      this.#begin(record, '')
      const by = answererOf(record)
      return [{ type: 'resume_with_input', values: payloadsOf(resume), ...(by && { by }) }]
    }
    if (origin.call === undefined) return this.#startTurn(record)
    return this.#begin(record, this.#calls.messageOf(origin.call) || this.#handedPrompt(record))
  }

  /** A turn that failed and runs again has the prompt of its first run; any other has what follows. */
  #startTurn(record: LogRecord): readonly CallerEventBody[] {
    const turn = turnOf(record)
    const first = [...this.#runs.values()].find(({ base }) => base.turn === turn)
    this.#forget(record)
    if (first?.prompt) return this.#begin(record, first.prompt)
    this.#note(record, undefined)
    return NOTHING
  }

  /**
   * Drops the runs and calls of ended turns: later events refer to this turn, to turns that wait, and to the
   * one that this turn passes over.
   */
  #forget(record: LogRecord): void {
    const { waiting: before, approvals } = this.#pauses
    const { waiting } = foldPauses(this.#pauses, [record])
    const passed = before.find((each) => !waiting.includes(each))
    this.#passedOver = passed && this.#runs.get(passed.run)?.base
    const open = [...before, ...approvals].map(({ turn }) => turn)
    const turns = new Set([turnOf(record), ...open])
    for (const [run, { turn }] of this.#runs) if (!turns.has(turn)) this.#runs.delete(run)
    this.#calls.keep(turns)
  }

  /** Assigns the open items of a waiting turn to the run that resumes it. */
  #moveTurns(record: LogRecord): void {
    const to = { turn: turnOf(record), run: record.origin.run ?? '' }
    for (const from of resumedTurns(this.#pauses, record)) {
      for (const notes of this.#runs.values()) if (notes.turn === from.turn) notes.turn = to.turn
      this.#calls.moveTurn(from, to)
    }
  }

  /** A hand-off keeps the caller: without a new message the first one holds. */
  #handedPrompt({ origin }: LogRecord): string {
    const from = this.#calls.madeBy(origin.call ?? '')
    return from === origin.parentRun ? '' : (this.#runs.get(from)?.prompt ?? '')
  }

  #subagentStarted(record: LogRecord): readonly CallerEventBody[] {
    if (isContinued(record)) {
      this.#begin(record, this.#runs.get(record.origin.run ?? '')?.prompt ?? '')
      return [{ type: 'resume_with_input', values: null }]
    }
    return this.#begin(record, textOf(record.data, 'description') || this.#handedPrompt(record))
  }

  #begin(
    record: LogRecord,
    prompt: string,
    files: readonly InputFile[] = [],
  ): readonly CallerEventBody[] {
    this.#note(record, prompt)
    return [{ type: 'prompt_started', content: prompt, ...(files.length > 0 && { files }) }]
  }

  #note(record: LogRecord, prompt: string | undefined): void {
    const { run = '' } = record.origin
    this.#runs.set(run, {
      base: callerEventBase(record),
      turn: turnOf(record),
      prompt,
      said: new LastText(),
      completion: undefined,
    })
  }

  /** A call of a sub-agent is its caller's event; a hand-off among sub-agents is none. */
  #subagentCall(record: LogRecord): CallerEvent | undefined {
    const { parentRun = '', call = '', agent = '' } = record.origin
    const caller = this.#runs.get(parentRun)
    if (!caller || isContinued(record) || !this.#calls.nameOf(call).startsWith('call_'))
      return undefined
    return {
      ...caller.base,
      seq: record.seq,
      ts: record.ts,
      type: 'subagent_call',
      targetAgent: agent,
      message: textOf(record.data, 'description'),
      toolCallId: call,
    }
  }

  #stepFinished({ origin, data }: LogRecord): readonly CallerEventBody[] {
    const notes = this.#runs.get(origin.run ?? '')
    const { usage = { model: '' }, finishReason = '' } = notes?.completion ?? {}
    if (notes) notes.completion = undefined
    return [{ type: 'completion_end', step: textOf(data, 'stepName'), usage, finishReason }]
  }

  #custom(record: LogRecord): readonly CallerEventBody[] {
    const wait = waitOf(record)
    // Its run does not stop for what another role decides.
    if (wait && !wait.by) this.#asked.push(wait)
    if (customValue(record, 'history_reset') !== undefined) return [{ type: 'reset_history' }]
    const call = modelCallOf(record)
    if (!call) return []
    const output = customValue(record, 'model_output') ?? null
    const elapsedMs = membersOf(output)['elapsedMs']
    const time = typeof elapsedMs === 'number' ? { elapsedMs } : {}
    const notes = this.#runs.get(record.origin.run ?? '')
    if (notes) {
      notes.completion = {
        usage: { model: call.model, ...call.usage, ...time },
        finishReason: textOf(output, 'finishReason') || textOf(output, 'error'),
      }
    }
    return this.#calls.madeWith(output)
  }

  #ended(record: LogRecord): CallerEventBody {
    const { data, origin } = record
    const ours = ourMetadata(data)
    const code = textOf(ours, 'code') || textOf(data, 'code')
    const result = this.#runs.get(origin.run ?? '')?.said.text ?? ''
    const error = { code, message: textOf(ours, 'message') || textOf(data, 'message') }
    if (code.startsWith('limit_')) return { type: 'turn_end', reason: 'limit', result, error }
    if (code === 'cancelled' || outcomeOf(record) === 'cancelled') return { type: 'turn_cancelled' }
    if (isFailure(record.type, code)) return { type: 'turn_end', reason: 'error', result, error }
    const waits = this.#waitsOf(record)
    if (waits.length > 0) return { type: 'wait_for_input', requestKeys: keysOf(waits), waits }
    const handoffTo = textOf(ours, 'handoffTo')
    return handoffTo === ''
      ? { type: 'turn_end', reason: 'success', result, ...cutIn(record) }
      : { type: 'turn_end', reason: 'handoff', result, handoffTo }
  }

  /** Returns the questions of a stopped run: its own and those of the runs below it. */
  #waitsOf(record: LogRecord): readonly Wait[] {
    const { type, data, origin } = record
    const outcome = membersOf(data)['outcome'] ?? null
    const asks =
      ['suspended', 'interrupt'].includes(outcomeOf(record)) ||
      membersOf(outcome)['pendingToolCallIds'] !== undefined ||
      ourMetadata(data)['pendingToolCallIds'] !== undefined
    if (!asks) return []
    if (type === 'RUN_FINISHED') return this.#asked
    const lists = [membersOf(outcome)['interruptIds'], ourMetadata(data)['clientWaits']]
    const ids = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []))
    return this.#asked.filter(({ id, run }) => run === origin.run || ids.includes(id))
  }
}

const NOTHING: readonly [] = []

function callOf({ data }: LogRecord): string {
  return textOf(data, 'toolCallId')
}

function answererOf({ data, origin }: LogRecord): Person | undefined {
  const role = textOf(ourMetadata(data), 'answeredAs')
  const { actor } = origin
  if (role === '' && actor === undefined) return undefined
  return { ...(role !== '' && { role }), ...(actor !== undefined && { actor }) }
}

function cutIn(record: LogRecord): { readonly cut?: 'length' } {
  return cutOf(record) === 'length' ? { cut: 'length' } : {}
}

function isContinued({ data }: LogRecord): boolean {
  return ourMetadata(data)['continued'] === true
}

function payloadsOf(resume: readonly Json[]): Json {
  return Object.fromEntries(
    resume.map((entry) => [textOf(entry, 'interruptId'), membersOf(entry)['payload'] ?? null]),
  )
}

function keysOf(waits: readonly Wait[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...waits.map(({ requestKeys }) => requestKeys)) as Record<string, string>
}

/** A role's view may leave out the code of a failure. */
function isFailure(type: string, code: string): boolean {
  return code !== '' || type === 'RUN_ERROR' || type === 'SUBAGENT_ERROR'
}
