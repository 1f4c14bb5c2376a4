import type { OpenRun } from '../../activity/index.ts'
import { textOf } from '../../json/index.ts'
import type { LogRecord } from '../../log/index.ts'
import type { Agent } from '../define/agent.ts'
import type { Caller } from '../define/tool.ts'
import { TurnError } from './turn-error.ts'
import type { AskedTurn, PreparedOpening } from './turn-work.ts'
import type { AgentTurn } from './agent-turn.ts'

export interface AfterCrashParts<State> {
  readonly agents: readonly Agent<State>[]
  readonly begin: (asked: AskedTurn, opening: PreparedOpening<State>) => AgentTurn<State>
  readonly onFault: (error: unknown, thread: string) => void
}

/** Begins once more the turns that a crash cut off, of agents that want it. */
export function runAgain<State>(
  { agents, begin, onFault }: AfterCrashParts<State>,
  thread: string,
  cut: readonly OpenRun[],
): void {
  for (const { origin, cancelledBy, settled } of cut) {
    const { depth, surface, turn: named } = origin
    const agent = agents.find(({ name }) => name === origin.agent)
    if (depth > 0 || cancelledBy !== undefined || settled || agent?.afterCrash !== 'again') continue
    const on = surface === undefined ? {} : { surface }
    const asked = { thread, ...on, key: undefined, scope: '', request: {}, named }
    const turn = begin(asked, {
      again: true,
      prepare: (_snapshot, earlier = []) => ({
        agent,
        caller: callerIn(earlier),
        typed: earlier.some(isTyped),
        ...on,
      }),
    })
    turn.result.catch((error: unknown) => {
      // When the process stops, the next one does the same.
      if (!(error instanceof TurnError)) onFault(error, thread)
    })
  }
}

/** The person is on record, and neither their role nor the context of their request. */
function callerIn(earlier: readonly LogRecord[]): Caller {
  const actor = earlier.find(({ origin }) => origin.source === 'ui')?.origin.actor
  return { ...(actor !== undefined && { actor }), context: {} }
}

/** Whether a record holds words of a person. A turn that answered a question does not run again. */
function isTyped({ type, data, origin }: LogRecord): boolean {
  return (
    type === 'TEXT_MESSAGE_CONTENT' && origin.source === 'ui' && textOf(data, 'delta').trim() !== ''
  )
}
