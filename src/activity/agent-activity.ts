import type { Conversation } from './conversation.ts'
import type { Pauses } from './pauses.ts'
import type { OpenRun } from './runs.ts'

/** A summary of the agents' activity in a thread. */
export interface AgentActivity {
  /** `waiting` for an answer of a person or of the caller, when none works. */
  readonly status: 'working' | 'waiting' | 'idle'
  /** The agent that works, deepest first, or that waits, or that worked last. */
  readonly agent?: string
  /** The first message of a person and the last text of an agent, as far as the agents remember them. */
  readonly firstPrompt?: string
  readonly lastReply?: string
}

interface ActiveThread {
  readonly conversation: Pick<Conversation, 'messages'>
  readonly openRuns: readonly OpenRun[]
  readonly pauses: Pick<Pauses, 'waiting'>
}

export function agentActivity({ conversation, openRuns, pauses }: ActiveThread): AgentActivity {
  const { messages } = conversation
  const first = messages.find(({ role }) => role === 'user')
  const last = messages.findLast(({ role, failed }) => role === 'assistant' && !failed)
  const [working] = openRuns.toSorted((one, other) => other.origin.depth - one.origin.depth)
  const [waiting] = pauses.waiting
  const agent = working?.origin.agent ?? waiting?.waits.at(-1)?.agent ?? last?.agent
  return {
    status: working ? 'working' : waiting ? 'waiting' : 'idle',
    ...(agent !== undefined && { agent }),
    ...(first && { firstPrompt: first.text }),
    ...(last && { lastReply: last.text }),
  }
}
