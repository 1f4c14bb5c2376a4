import { approversOf, needsFourEyes } from '../define/approval-rule.ts'
import { approvalOf, denialOf, pendingResult, valuesFor } from './approval.ts'
import { messageIn, parseInput } from './call-input.ts'
import { requireAskable, resultOfNotAsked } from './open-approvals.ts'
import { Pause } from '../define/tool.ts'
import { snakeCase } from '../define/agent.ts'
import type { Agent } from '../define/agent.ts'
import { LinkedSignal } from '../../models/index.ts'
import type { Tool } from '../define/tool.ts'
import type { ModelToolCall } from '../../models/index.ts'
import type { NewEvent } from '../../log/index.ts'
import { ownerOf } from '../../activity/index.ts'
import type { Wait } from '../../activity/index.ts'
import { explainIssues } from '../../domain/index.ts'
import type { Offer } from '../scope/offers.ts'
import type { ProgramQuestion } from '../define/program.ts'
import { PAGE_IS_ASKED, questionRecords } from './program-answers.ts'
import { waitRecord } from '../scope/run-records.ts'
import type { AskedAgent, RunScope } from '../scope/scope.ts'
import { reachable } from '../define/reachable.ts'
import type { WaitAnswer } from '../scope/answers.ts'
import { requireNotCancelled } from '../scope/stop-reason.ts'
import { stableId } from '../../gate/index.ts'
import { FailedStep, subagentMark } from '../../step/index.ts'
import { executeTool, approvalNeeded } from './tool-execution.ts'
import { freeMessageId } from '../scope/opening-messages.ts'
import { waitFor } from './wait-for.ts'
import type { Question } from './wait-for.ts'
import { unknownTool } from './client-tools.ts'
import { boundedResult, failedResult, resultRecord } from '../scope/tool-result.ts'
import type { GivenResult, ToolResult } from '../scope/tool-result.ts'

/** The outcome of the calls of one step, besides the results on record. */
export type ToolsDone<State> =
  | { readonly status: 'answered' }
  /** Something was asked, by a tool of this run or below it; the questions are on record. */
  | { readonly status: 'waiting' }
  | ({ readonly status: 'handoff' } & AskedAgent<State>)

/** A call whose approval another role decides: its question is on record with its result. */
interface Deferred {
  readonly wait: Wait
  readonly result: ToolResult
}

type CallDone = GivenResult | Deferred | 'waiting'

/** Runs the tool calls of one step, at once; each result is on record as soon as it is there. */
export class ToolCalls<State> {
  readonly #scope: RunScope<State>
  /** Stops the others when one of them meets what ends the run. */
  readonly #failed: LinkedSignal

  constructor(scope: RunScope<State>) {
    this.#failed = new LinkedSignal(scope.signal)
    this.#scope = { ...scope, signal: this.#failed.signal }
  }

  /** `questions` are those of the agent's program: the run waits for their answers. */
  async run(
    calls: readonly ModelToolCall[],
    questions: readonly ProgramQuestion[] = [],
  ): Promise<ToolsDone<State>> {
    try {
      await this.#scope.turn.append(questionRecords(this.#scope, questions))
      return await this.#run(calls, questions)
    } finally {
      this.#failed.release()
    }
  }

  async #run(
    calls: readonly ModelToolCall[],
    questions: readonly ProgramQuestion[],
  ): Promise<ToolsDone<State>> {
    const handoffs = calls.filter((call) => this.#offer(call)?.kind === 'handoff')
    const [first] = handoffs
    const others = calls.filter((call) => !handoffs.includes(call))
    for (const { call, ...asked } of questions) {
      if ((await this.#wait(call, asked)) !== 'waiting') throw new FailedStep(PAGE_IS_ASKED)
    }
    const settled = await Promise.allSettled(others.map((call) => this.#guarded(call)))
    const failure = settled.find((each) => each.status === 'rejected')
    if (failure) throw failure.reason
    this.#scope.signal.throwIfAborted()
    const waits =
      questions.length > 0 ||
      settled.some((each) => each.status === 'fulfilled' && each.value === 'waiting')
    for (const call of waits ? handoffs : handoffs.slice(1)) {
      const why = waits ? 'another call waits for a person' : 'there is one already'
      await this.#record(call, failedResult('one_handoff', `Cannot hand over: ${why}`))
    }
    if (waits) return { status: 'waiting' }
    return (first && (await this.#handOver(first))) ?? { status: 'answered' }
  }

  #offer(call: ModelToolCall): Offer<State> | undefined {
    const { turn, agent, origin } = this.#scope
    return turn.offersOf(agent, origin.depth).byName.get(call.name)
  }

  /** Records the result of a call. An error ends the run, so it stops the other calls. */
  async #guarded(call: ModelToolCall): Promise<'answered' | 'waiting'> {
    try {
      const done = await this.#call(call)
      if (done === 'waiting') return done
      if ('wait' in done) await this.#askRole(call, done)
      else await this.#record(call, done)
      return 'answered'
    } catch (error) {
      this.#failed.abort(error)
      throw error
    }
  }

  async #call(call: ModelToolCall): Promise<CallDone> {
    const { given, stillAsked } = this.#scope.turn
    const known = given.get(call.id)
    if (known) return known
    const asked = stillAsked.get(call.id)
    // Its tool is not called again, and its question keeps its id.
    if (asked) return this.#ask(asked)
    const offer = this.#offer(call)
    if (!offer) return unknownTool(call, this.#scope.agent)
    const input = parseInput(call)
    if ('failed' in input) return input.failed
    switch (offer.kind) {
      case 'tool':
        return this.#useTool(call, offer.tool, input.value)
      case 'agent':
        return this.#callAgent(call, offer.agent, input.value)
      case 'event':
        return this.#propose(call, offer.type, input.value)
      case 'client':
        return this.#waitForClient(call)
      case 'handoff':
        return failedResult('one_handoff', 'Cannot hand over: there is one already')
    }
  }

  async #useTool(call: ModelToolCall, tool: Tool, given: unknown): Promise<CallDone> {
    const checked = await tool.inputSchema['~standard'].validate(given)
    if (checked.issues) {
      const why = explainIssues(checked.issues)
      return failedResult('invalid_input', `Cannot call "${call.name}": ${why}`)
    }
    if (!tool.execute) return this.#waitForClient(call)
    const { answers, denied } = this.#scope.turn
    const answer = answers.get(call.id)
    // The person said no to the tool as it was asked for: it may need no approval by now.
    if (answer && denied.has(call.id)) return denialOf(answer)
    const asked = { scope: this.#scope, call, tool, input: checked.value }
    const needed = answer ? false : await approvalNeeded(asked)
    if (typeof needed !== 'boolean') return needed
    if (needed) return this.#askApproval(call, tool, checked.value)
    const values = valuesFor(tool, answer)
    const result = await executeTool({ ...asked, ...(values ? { values } : {}) })
    if (result instanceof Pause) {
      const { requestKeys, schema } = result
      return this.#wait(call, { reason: 'input_required', requestKeys, ...(schema && { schema }) })
    }
    return result
  }

  async #askApproval(call: ModelToolCall, tool: Tool, input: unknown): Promise<CallDone> {
    const approval = approvalOf(call, tool, input)
    if (approval && 'content' in approval) return approval
    const question = approval?.question ?? `Run ${call.name}(${call.input})?`
    const requestKeys = { approved: question }
    const asked = { reason: 'tool_approval', requestKeys, ...(approval && { approval }) } as const
    const by = approversOf(tool)
    if (!by) return this.#wait(call, asked)
    const rule = { by, ...(needsFourEyes(tool) && { fourEyes: true as const }) }
    return {
      wait: waitFor(this.#scope, call, { ...asked, ...rule }),
      result: pendingResult(call, by),
    }
  }

  /** Asks another role, and answers the call at once. Its turn goes on. */
  async #askRole(call: ModelToolCall, { wait, result }: Deferred): Promise<void> {
    const { turn, origin } = this.#scope
    const before = [waitRecord(wait, origin), await this.#resultOf(call, result)]
    try {
      // Calls ask at the same time: the commit sees what is open then.
      await turn.commit([], { before, check: ({ pauses }) => requireAskable(pauses, wait, result) })
    } catch (error) {
      const known = resultOfNotAsked(error)
      if (!known) throw error
      await this.#record(call, known)
    }
  }

  /** Runs the calls that another role has agreed to, and records the results of all that it decided. */
  async decide(decided: readonly WaitAnswer[]): Promise<void> {
    for (const { wait } of decided) {
      const call = { id: wait.toolCallId, name: wait.toolName, input: wait.arguments }
      const done = await this.#decided(call, wait)
      const result = done === 'waiting' || 'wait' in done ? CANNOT_ASK : done
      await this.#record(call, { ...result, late: call.name })
    }
  }

  async #decided(call: ModelToolCall, { agent: name }: Wait): Promise<CallDone> {
    const { agent: top, turn, origin } = this.#scope
    // A sub-agent's run has ended: the agent that it worked for is told the outcome.
    const agent = reachable([top]).find((each) => each.name === name)
    const offer = agent && turn.offersOf(agent, origin.depth).byName.get(call.name)
    if (!agent || offer?.kind !== 'tool') {
      return failedResult('unknown_tool', `Cannot call "${call.name}": no such tool any more`)
    }
    const input = parseInput(call)
    if ('failed' in input) return input.failed
    const calls = new ToolCalls({ ...this.#scope, agent })
    try {
      return await calls.#useTool(call, offer.tool, input.value)
    } finally {
      calls.#failed.release()
    }
  }

  async #callAgent(call: ModelToolCall, agent: Agent<State>, given: unknown): Promise<CallDone> {
    const message = messageIn(given)
    if (message === undefined) {
      const why = `Cannot call "${call.name}": give { "message": "…" }`
      return failedResult('invalid_input', why)
    }
    const end = await this.#scope.turn.ask(this.#scope, { agent, message, call: call.id })
    switch (end.status) {
      case 'success':
        return { content: end.cut ? `${end.text}\n${CUT_ANSWER}` : end.text, subagent: end.agent }
      case 'stopped':
        return failedResult(end.code, end.message)
      case 'waiting':
        return 'waiting'
    }
  }

  async #propose(call: ModelToolCall, type: string, data: unknown): Promise<ToolResult> {
    const { turn, origin } = this.#scope
    const proposal = {
      id: stableId(turn.thread, origin.run, call.id, 'proposal'),
      type,
      data,
      origin: { ...origin, source: 'model' as const },
      raw: call.input,
    }
    const { answers } = await turn.commit([proposal], {
      typed: turn.typed,
      check: ({ openRuns }) => requireNotCancelled(origin.run, openRuns),
    })
    const refusal = answers[0]?.refusal
    return refusal
      ? failedResult(refusal.refused, `Refused: ${refusal.refused}, ${refusal.detail}`)
      : { content: 'Accepted' }
  }

  #waitForClient(call: ModelToolCall): Promise<CallDone> {
    const requestKeys = { [call.id]: `The result of ${call.name}` }
    return this.#wait(call, { reason: 'client_tool', requestKeys })
  }

  async #wait(call: ModelToolCall, asked: Question): Promise<CallDone> {
    return this.#ask(waitFor(this.#scope, call, asked))
  }

  async #ask(wait: Wait): Promise<CallDone> {
    const { turn, origin } = this.#scope
    if (turn.decided.has(wait.toolCallId)) return CANNOT_ASK
    const { waiting } = (await turn.gate.latest(turn.thread)).pauses
    // A decision of another role comes at any time: the page has one question at a time.
    if (waiting.some(({ owner }) => owner === ownerOf(origin))) return CANNOT_ASK
    await turn.append([waitRecord(wait, origin)])
    return 'waiting'
  }

  async #handOver(call: ModelToolCall): Promise<ToolsDone<State> | undefined> {
    const offer = this.#offer(call)
    if (offer?.kind !== 'handoff') return undefined
    if (this.#scope.handoffsLeft <= 0) {
      const message = 'Cannot hand over: this turn has been handed over as often as it may be'
      await this.#record(call, failedResult('limit_handoffs', message))
      return undefined
    }
    const input = parseInput(call)
    const message = 'value' in input ? (messageIn(input.value) ?? '') : ''
    await this.#record(call, { content: `Handed over to ${snakeCase(offer.agent.name)}` })
    return { status: 'handoff', agent: offer.agent, message, call: call.id }
  }

  async #record(call: ModelToolCall, result: GivenResult): Promise<void> {
    await this.#scope.turn.append([await this.#resultOf(call, result)])
  }

  async #resultOf(call: ModelToolCall, result: GivenResult): Promise<NewEvent> {
    const { origin, agent, turn } = this.#scope
    const { by, messageId: wanted, ...rest } = boundedResult(result, agent.limits.resultChars)
    const messageId = (await freeMessageId(turn, wanted)) ?? turn.id()
    const answered = { messageId, toolCallId: call.id, ...subagentMark(origin) }
    const source = by === 'client' ? 'ui' : origin.source
    return resultRecord(answered, rest, { ...origin, source })
  }
}

const CANNOT_ASK = failedResult(
  'cannot_ask',
  'Cannot ask: this call was decided while the page could not be asked; ask before the approval',
)

const CUT_ANSWER = '[The answer was cut off here: it reached the limit of its model.]'
