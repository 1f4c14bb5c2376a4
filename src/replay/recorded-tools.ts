import { changingAgents } from '../agents/index.ts'
import type { Agent, Tool, ToolContext } from '../agents/index.ts'
import type { Domain } from '../domain/index.ts'
import { equalJson } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { LogRecord } from '../log/index.ts'
import { CallsOnRecord, parsed } from './calls-on-record.ts'
import type { CallOnRecord } from './calls-on-record.ts'
import { ReplayError } from './replay-error.ts'
import { isDecision, proposedType } from './stored-commits.ts'
import { StoredProposals } from './stored-proposals.ts'

/** Calls that a fork names of those that it could not answer. */
export const MISSED_CALLS_MAX = 100

/** A call of a tool that the record does not answer. */
export interface MissedCall {
  readonly name: string
  readonly input: unknown
}

type AnyAgent = Agent<unknown>
type Proposal = { readonly type: string; readonly data: unknown }

/**
 * Tools that do no work: each call is answered as the next one with the same arguments was, that the record holds
 * after the fork. It asks, proposes and fails as that one did.
 */
export class RecordedTools {
  readonly #calls: CallOnRecord[]
  readonly #proposals = new Map<string, Proposal[]>()
  readonly #missed: MissedCall[] = []

  /** `after`: the last record that the fork has in common with the thread. */
  constructor(records: readonly LogRecord[], domain: Domain<unknown>, after: number) {
    const calls = new CallsOnRecord()
    const proposals = new StoredProposals(domain)
    for (const record of records) {
      calls.note(record)
      proposals.note(record)
      const proposal = isDecision(domain, record) ? proposals.take(record) : undefined
      if (proposal?.status !== 'known' || !proposal.call) continue
      const { id } = proposal.call
      const known = this.#proposals.get(id) ?? []
      this.#proposals.set(id, known)
      known.push({ type: proposedType(record), data: proposal.data })
    }
    this.#calls = calls.all.filter(({ result }) => result && result.seq > after && wasRun(result))
  }

  /** Calls that the record does not answer. */
  get missed(): readonly MissedCall[] {
    return this.#missed
  }

  /** The agent with such tools, and all that it leads to. */
  readonly of = changingAgents<unknown>((agent) => ({
    tools: new Map([...agent.tools].map(([name, tool]) => [name, this.#tool(name, tool)])),
    ...(agent.program && {
      program: { ...agent.program, step: () => Promise.reject(programInFork(agent)) },
    }),
  }))

  #tool(name: string, tool: Tool): Tool {
    const approved = { ...tool, ...this.#approval(name, tool) }
    // A tool of the caller's own waits for the caller, as it did.
    if (!tool.execute) return approved
    return {
      ...approved,
      execute: (input, context) => this.#answer({ name, tool, input }, context),
    }
  }

  /** Functions that decide whether a person must agree may ask the world: the record answers for them. */
  #approval(name: string, tool: Tool): Pick<Tool, 'needsApproval'> {
    const { needsApproval } = tool
    const asRecorded = async (input: unknown): Promise<boolean> => {
      const call = this.#calls[await this.#placeOf({ name, tool, input })]
      return call?.neededApproval ?? false
    }
    if (typeof needsApproval === 'function') return { needsApproval: asRecorded }
    if (typeof needsApproval !== 'object' || !needsApproval.if) return {}
    return { needsApproval: { ...needsApproval, if: asRecorded } }
  }

  async #answer(asked: Asked, context: ToolContext): Promise<unknown> {
    const at = await this.#placeOf(asked)
    const call = this.#calls[at]
    if (!call?.result) throw this.#miss(asked)
    const { question, result } = call
    if (question && context.values === undefined) return context.pause(question)
    this.#calls.splice(at, 1)
    const proposals = this.#proposals.get(call.id) ?? []
    if (proposals.length > 0) await context.propose(proposals)
    if (result.error !== '') throw new Error(result.content)
    return result.json ? parsed(result.content) : result.content
  }

  async #placeOf({ name, tool, input }: Asked): Promise<number> {
    for (const [at, call] of this.#calls.entries()) {
      if (call.name !== name) continue
      const given = parsed(call.args === '' ? '{}' : call.args)
      const read = await tool.inputSchema['~standard'].validate(given)
      // A schema may add defaults to what the model gave.
      if (equalJson((read.issues ? given : read.value) as Json, input as Json)) return at
    }
    return -1
  }

  #miss({ name, input }: Asked): ReplayError {
    if (this.#missed.length < MISSED_CALLS_MAX) this.#missed.push({ name, input })
    const why = 'the record has no such call after the fork, and a fork does no work in the world'
    return new ReplayError('unrecorded', `Cannot run "${name}": ${why}`)
  }
}

interface Asked {
  readonly name: string
  readonly tool: Tool
  readonly input: unknown
}

/** Whether the tool itself gave a result; a call that was refused or denied never ran. */
function wasRun({ error }: NonNullable<CallOnRecord['result']>): boolean {
  return ['', 'tool_failed', 'timeout'].includes(error)
}

function programInFork({ name }: AnyAgent): ReplayError {
  const why = 'its program has no recorded answers; fork where a model answers'
  return new ReplayError('unrecorded', `Cannot run "${name}" in a fork: ${why}`)
}
