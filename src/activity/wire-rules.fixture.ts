import type { WireEvent } from './wire-schema.fixture.ts'

/** An item that is open: whose it is, and of which run. */
interface Open {
  readonly owner: string
}

interface Pair {
  readonly kind: string
  readonly key: string
}

const OPENS: Readonly<Record<string, Pair>> = {
  TEXT_MESSAGE_START: { kind: 'text', key: 'messageId' },
  TOOL_CALL_START: { kind: 'call', key: 'toolCallId' },
  REASONING_START: { kind: 'span', key: 'messageId' },
  REASONING_MESSAGE_START: { kind: 'thought', key: 'messageId' },
  STEP_STARTED: { kind: 'step', key: 'stepName' },
}
const CONTINUES: Readonly<Record<string, Pair>> = {
  TEXT_MESSAGE_CONTENT: { kind: 'text', key: 'messageId' },
  TOOL_CALL_ARGS: { kind: 'call', key: 'toolCallId' },
  REASONING_MESSAGE_CONTENT: { kind: 'thought', key: 'messageId' },
}
const CLOSES: Readonly<Record<string, Pair>> = {
  TEXT_MESSAGE_END: { kind: 'text', key: 'messageId' },
  TOOL_CALL_END: { kind: 'call', key: 'toolCallId' },
  REASONING_END: { kind: 'span', key: 'messageId' },
  REASONING_MESSAGE_END: { kind: 'thought', key: 'messageId' },
  STEP_FINISHED: { kind: 'step', key: 'stepName' },
}

/**
 * Returns the violations of AG-UI 1.0's rules in the stream of a whole thread. It is written from the
 * rules and not from our producer, so that the two can disagree.
 */
export function brokenRules(events: readonly WireEvent[]): readonly string[] {
  const rules = new WireRules()
  for (const [index, event] of events.entries()) rules.take(event, index)
  return rules.broken
}

class WireRules {
  readonly broken: string[] = []
  readonly #runs = new Set<string>()
  readonly #messages = new Set<string>()
  readonly #callsEver = new Set<string>()
  #run: string | undefined
  #threadId: unknown
  #open = new Map<string, Open>()
  #subagents = new Map<string, 'open' | 'closed'>()
  /** Calls that are answered in a later run, by sub-agents that wait until then. */
  #waitedFor = new Set<string>()
  readonly #callOf = new Map<string, string>()
  #calls = new Map<string, { readonly owner: string; answered: boolean }>()
  #index = 0

  take(event: WireEvent, index: number): void {
    this.#index = index
    if (event.type === 'RUN_STARTED') return this.#runStarted(event)
    if (this.#run === undefined) return this.#say(`${event.type} outside any run`)
    switch (event.type) {
      case 'RUN_FINISHED':
      case 'RUN_ERROR':
        return this.#runEnded(event)
      case 'SUBAGENT_STARTED':
        return this.#subagentStarted(event)
      case 'SUBAGENT_FINISHED':
      case 'SUBAGENT_ERROR':
        return this.#subagentEnded(event)
      default:
        return this.#item(event)
    }
  }

  #runStarted({ threadId, runId }: WireEvent): void {
    if (this.#run !== undefined) this.#say(`a run starts inside run ${this.#run}`)
    if (this.#runs.has(String(runId))) this.#say(`the run id ${String(runId)} is used again`)
    if (this.#threadId !== undefined && threadId !== this.#threadId) this.#say('another thread')
    this.#threadId = threadId
    this.#run = String(runId)
    this.#runs.add(this.#run)
    this.#open = new Map()
    this.#subagents = new Map()
    this.#calls = new Map()
    this.#waitedFor = new Set()
  }

  #runEnded(event: WireEvent): void {
    const { type, runId, threadId } = event
    // An error may come at any time; it closes whatever is open.
    if (type === 'RUN_FINISHED') {
      if (runId !== this.#run || threadId !== this.#threadId) this.#say('ends another run')
      for (const key of this.#open.keys()) this.#say(`the run ends with ${key} open`)
      for (const [id, state] of this.#subagents) {
        if (state === 'open') this.#say(`the run ends with sub-agent ${id} open`)
      }
      this.#outcome(event)
    }
    this.#run = undefined
  }

  #outcome(event: WireEvent): void {
    const outcome = (event['outcome'] ?? { type: 'success' }) as Readonly<Record<string, unknown>>
    const left = [...this.#calls]
      .filter(([id, { answered, owner }]) => {
        return !answered && !this.#waitedFor.has(id) && !this.#isGivenUp(owner)
      })
      .map(([id]) => id)
    const pending = (outcome['pendingToolCallIds'] ?? []) as readonly string[]
    if (outcome['type'] === 'success' && left.join() !== pending.join()) {
      this.#say(`pending are ${pending.join()}, unanswered are ${left.join()}`)
    }
    if (outcome['type'] === 'interrupt') {
      const ids = (outcome['interrupts'] as readonly { readonly id: string }[]).map(({ id }) => id)
      if (new Set(ids).size !== ids.length) this.#say('interrupt ids are not unique')
    }
    if (outcome['type'] === 'cancelled' && 'result' in event) this.#say('cancelled with a result')
  }

  /** A sub-agent that stopped to ask never goes on once the call that it works for has its result. */
  #isGivenUp(owner: string): boolean {
    const call = this.#calls.get(this.#callOf.get(owner) ?? '')
    return this.#subagents.get(owner) === 'closed' && call?.answered === true
  }

  #subagentStarted(event: WireEvent): void {
    const id = String(event['subagentRunId'])
    const { parentSubagentRunId: parent, parentToolCallId: call } = event
    if (this.#subagents.has(id)) this.#say(`sub-agent ${id} starts twice in a run`)
    if (parent !== undefined && this.#subagents.get(String(parent)) !== 'open') {
      this.#say(`sub-agent ${id} starts below ${String(parent)}, which is not open`)
    }
    const parentCall = this.#calls.get(String(call))
    if (parentCall && parentCall.owner !== (parent ?? '')) {
      this.#say(`sub-agent ${id} is not of its caller's call`)
    }
    if (parentCall?.answered) this.#say(`sub-agent ${id} starts after its call was answered`)
    this.#subagents.set(id, 'open')
    this.#callOf.set(id, String(call))
  }

  #subagentEnded(event: WireEvent): void {
    const id = String(event['subagentRunId'])
    if (this.#subagents.get(id) !== 'open') this.#say(`sub-agent ${id} ends and is not open`)
    for (const [key, { owner }] of this.#open) {
      if (owner === id) this.#say(`sub-agent ${id} ends with ${key} open`)
    }
    this.#subagents.set(id, 'closed')
    const outcome = event['outcome'] as { readonly type?: string } | undefined
    if (outcome?.type === 'suspended') this.#waitedFor.add(this.#callOf.get(id) ?? '')
  }

  #item(event: WireEvent): void {
    const owner = String(event['subagentRunId'] ?? '')
    if (owner !== '' && this.#subagents.get(owner) !== 'open') {
      this.#say(`${event.type} of sub-agent ${owner}, which is not open`)
    }
    const { type } = event
    const [opens, continues, closes] = [OPENS[type], CONTINUES[type], CLOSES[type]]
    if (opens) this.#begin(event, opens, owner)
    if (continues) this.#require(event, continues, owner)
    if (closes) {
      this.#require(event, closes, owner)
      this.#open.delete(keyOf(event, closes, owner))
    }
    if (type === 'TOOL_CALL_RESULT') this.#result(event, owner)
    if (event['delta'] === '') this.#say('an empty delta')
  }

  #begin(event: WireEvent, pair: Pair, owner: string): void {
    const id = String(event[pair.key])
    const key = keyOf(event, pair, owner)
    if (this.#open.has(key)) this.#say(`${key} opens twice`)
    this.#open.set(key, { owner })
    if (pair.kind === 'text' || pair.kind === 'span') this.#newMessage(id)
    if (pair.kind !== 'call') return
    if (this.#callsEver.has(id)) this.#say(`the tool call id ${id} is used again`)
    this.#callsEver.add(id)
    this.#calls.set(id, { owner, answered: false })
  }

  #require(event: WireEvent, pair: Pair, owner: string): void {
    const key = keyOf(event, pair, owner)
    const open = this.#open.get(key)
    if (!open) this.#say(`${event.type} of ${key}, which is not open`)
    else if (open.owner !== owner) this.#say(`${event.type} of ${key}, which is another's`)
  }

  #result(event: WireEvent, owner: string): void {
    const id = String(event['toolCallId'])
    this.#newMessage(String(event['messageId']))
    if (!this.#callsEver.has(id)) this.#say(`a result of the call ${id}, which was never made`)
    const call = this.#calls.get(id)
    // A call of an earlier run may be answered in the one that takes it up.
    if (!call) return
    if (call.answered) this.#say(`the call ${id} is answered twice`)
    if (call.owner !== owner) this.#say(`the call ${id} is answered by another`)
    if (this.#open.has(`call ${id}`)) this.#say(`the call ${id} is answered before it is complete`)
    call.answered = true
  }

  #newMessage(id: string): void {
    if (this.#messages.has(id)) this.#say(`the message id ${id} is used again`)
    this.#messages.add(id)
  }

  #say(fault: string): void {
    this.broken.push(`${this.#index}: ${fault}`)
  }
}

function keyOf(event: WireEvent, { kind, key }: Pair, owner: string): string {
  const id = String(event[key])
  // Two agents may be at a step of one name at once.
  return kind === 'step' ? `step ${id} of ${owner}` : `${kind} ${id}`
}
