import {
  GIVEN_UP_CODE,
  customValue,
  ourMetadata,
  outcomeOf,
  resumedBy,
  turnOf,
} from '../activity/index.ts'
import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { NewestMap } from '../thread/index.ts'
import { modelAttributes } from './model-attributes.ts'
import { addSpan, closedTree, removeSpan } from './span-draft.ts'
import type { SpanDraft, SpanTree } from './span-draft.ts'
import { SpanWords, joined } from './span-words.ts'

/** Calls and questions of one thread that a later run may answer. */
export const SPANS_WAITING_MAX = 1_000

/** The codes of calls whose tool never ran. */
const NEVER_RAN: ReadonlySet<unknown> = new Set([GIVEN_UP_CODE, 'discarded'])

interface OpenRun {
  readonly span: SpanDraft
  readonly tree: SpanTree
  readonly calls: Map<string, SpanDraft>
  readonly words: SpanWords
  /** The model call under way. */
  step: SpanDraft | undefined
  /** When the last model call ended: its tools run from then on. */
  modelEndedAt: number
}

/**
 * Reads the records of a thread, in order, as spans after the conventions for generative AI: one tree for each run
 * at depth 0, once it has ended. Without `words` no text of a person, a model or a tool is in them.
 */
export class ThreadSpans {
  readonly #hasWords: boolean
  readonly #runs = new Map<string, OpenRun>()
  /** The names of tools whose call waits for a person. */
  readonly #waitingCalls = new NewestMap<string>(SPANS_WAITING_MAX)
  /** The root of the run that asked, by the id of the question. */
  readonly #asked = new NewestMap<string>(SPANS_WAITING_MAX)
  #last: { readonly turn: string; readonly root: string } | undefined

  constructor({ words: hasWords }: { readonly words: boolean }) {
    this.#hasWords = hasWords
  }

  /** Returns the tree of a run at depth 0 that a record ends. */
  take(record: LogRecord): SpanTree | undefined {
    switch (record.type) {
      case 'RUN_STARTED':
        this.#beginTree(record)
        break
      case 'SUBAGENT_STARTED':
        this.#beginBelow(record)
        break
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
        return this.#endTree(record)
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        this.#end(record)
        break
      default:
        this.#change(record)
    }
    return undefined
  }

  #change(record: LogRecord): void {
    const run = this.#runs.get(record.origin.run ?? '')
    if (!run) return
    const { type, data } = record
    if (type === 'STEP_STARTED') run.step = addSpan(run.tree, modelSpan(record, run))
    else if (type === 'TOOL_CALL_START') this.#call(run, record)
    else if (type === 'TOOL_CALL_RESULT') this.#result(run, record)
    else if (type === 'CUSTOM') this.#modelEnded(run, record)
    else if (!this.#hasWords) return
    else if (type === 'TEXT_MESSAGE_START') run.words.begin(data)
    else if (type === 'TEXT_MESSAGE_CONTENT') run.words.add(data)
    else if (type === 'TOOL_CALL_ARGS') addArguments(run, data)
  }

  #beginTree(record: LogRecord): void {
    // One turn is at work in a thread: an older run that has no end never gets one.
    this.#runs.clear()
    const span = agentSpan(record)
    const answered = (resumedBy(record) ?? []).map((answer) => textOf(answer, 'interruptId'))
    const asked = answered.map((id) => this.#asked.get(id)).find((root) => root !== undefined)
    const handedOver = this.#last?.turn === turnOf(record) ? this.#last.root : undefined
    this.#begin(record, { root: span, spans: [span], follows: asked ?? handedOver })
  }

  #beginBelow(record: LogRecord): void {
    const { parentRun = '', call = '' } = record.origin
    const [top] = this.#runs.values()
    const caller = this.#runs.get(parentRun) ?? top
    if (!caller) return
    const span = agentSpan(record, caller.calls.get(call) ?? caller.span)
    addSpan(caller.tree, span)
    this.#begin(record, caller.tree, span)
  }

  #begin(record: LogRecord, tree: SpanTree, span: SpanDraft = tree.root): void {
    const { origin, ts } = record
    const calls = new Map<string, SpanDraft>()
    const begun = { span, tree, calls, words: new SpanWords(), step: undefined, modelEndedAt: ts }
    this.#runs.set(origin.run ?? '', begun)
  }

  #modelEnded(run: OpenRun, record: LogRecord): void {
    const output = customValue(record, 'model_output')
    if (output === undefined) return
    const { ts } = record
    const { elapsedMs } = membersOf(output)
    // A program reports each of its models: those after the first have no step of their own.
    const span = run.step ?? addSpan(run.tree, modelSpan(record, run))
    run.step = undefined
    run.modelEndedAt = ts
    Object.assign(span.attributes, modelAttributes(output), run.words.output())
    span.name = `chat ${String(span.attributes['gen_ai.request.model'] ?? '')}`.trimEnd()
    // The step is recorded with the first words of its answer.
    const startedAt = typeof elapsedMs === 'number' ? ts - elapsedMs : span.startedAt
    span.startedAt = Math.max(startedAt, run.span.startedAt)
    span.endedAt = ts
    const error = textOf(output, 'error')
    if (error !== '') span.error = error
  }

  #call(run: OpenRun, record: LogRecord): void {
    const { data } = record
    const id = textOf(data, 'toolCallId')
    run.calls.set(id, addSpan(run.tree, toolSpan(record, run, textOf(data, 'toolCallName'))))
  }

  #result(run: OpenRun, record: LogRecord): void {
    const { data, ts } = record
    const id = textOf(data, 'toolCallId')
    const { error, pending } = ourMetadata(data)
    const made = run.calls.get(id)
    if (NEVER_RAN.has(error) || pending !== undefined) {
      if (made) removeSpan(run.tree, made)
      if (pending === undefined) run.calls.delete(id)
      return
    }
    const span = made ?? this.#answered(run, record, id)
    if (!span) return
    span.startedAt = Math.max(span.startedAt, Math.min(run.modelEndedAt, ts))
    span.endedAt = ts
    if (typeof error === 'string') span.error = error
    if (!this.#hasWords) return
    span.attributes['gen_ai.tool.call.result'] = joined('', textOf(data, 'content'))
  }

  /** The span of a call that an earlier run made and this one has answered. */
  #answered(run: OpenRun, record: LogRecord, id: string): SpanDraft | undefined {
    const name = this.#waitingCalls.get(id)
    if (name === undefined) return undefined
    this.#waitingCalls.delete(id)
    return addSpan(run.tree, { ...toolSpan(record, run, name), startedAt: run.modelEndedAt })
  }

  #endTree(record: LogRecord): SpanTree | undefined {
    const run = this.#end(record)
    if (!run) return undefined
    const { hash: root } = run.span
    this.#last = { turn: turnOf(record), root }
    for (const id of questionsOf(record)) this.#asked.set(id, root)
    return closedTree(run.tree, record.ts)
  }

  #end(record: LogRecord): OpenRun | undefined {
    const { origin, data, ts } = record
    const run = this.#runs.get(origin.run ?? '')
    if (!run) return undefined
    this.#runs.delete(origin.run ?? '')
    const { span, calls, words } = run
    for (const [id, call] of calls) {
      if (call.endedAt === undefined) this.#waitingCalls.set(id, toolOf(call))
    }
    span.endedAt = ts
    Object.assign(span.attributes, words.input())
    const outcome = outcomeOf(record)
    if (outcome !== '') span.attributes['throughline.outcome'] = outcome
    if (record.type.endsWith('_ERROR')) span.error = textOf(data, 'code') || 'error'
    return run
  }
}

function agentSpan({ hash, thread, seq, ts, origin }: LogRecord, parent?: SpanDraft): SpanDraft {
  const { agent = '' } = origin
  return {
    hash,
    name: `invoke_agent ${agent}`,
    kind: 'internal',
    parent,
    startedAt: ts,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.conversation.id': thread,
      'throughline.seq': seq,
    },
  }
}

function modelSpan({ hash, ts }: LogRecord, { span }: OpenRun): SpanDraft {
  return { hash, name: 'chat', kind: 'client', parent: span, startedAt: ts, attributes: {} }
}

function toolSpan({ hash, data, ts }: LogRecord, { span }: OpenRun, tool: string): SpanDraft {
  return {
    hash,
    name: `execute_tool ${tool}`,
    kind: 'internal',
    parent: span,
    startedAt: ts,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': textOf(data, 'toolCallId'),
    },
  }
}

function toolOf({ attributes }: SpanDraft): string {
  return String(attributes['gen_ai.tool.name'])
}

function addArguments({ calls }: OpenRun, data: Json): void {
  const attributes = calls.get(textOf(data, 'toolCallId'))?.attributes
  if (!attributes) return
  const before = attributes['gen_ai.tool.call.arguments'] ?? ''
  attributes['gen_ai.tool.call.arguments'] = joined(String(before), textOf(data, 'delta'))
}

/** The questions that a run stopped to ask. */
function questionsOf({ data }: LogRecord): readonly string[] {
  const { interrupts } = membersOf(membersOf(data)['outcome'] ?? null)
  return isJsonArray(interrupts) ? interrupts.map((each) => textOf(each, 'id')) : []
}
