import type { Wait } from '../../activity/index.ts'
import { stableId } from '../../gate/index.ts'
import type { ModelToolCall } from '../../models/index.ts'
import type { RunScope } from '../scope/scope.ts'

/** What a call asks a person. */
export type Question = Pick<
  Wait,
  'reason' | 'requestKeys' | 'schema' | 'interrupt' | 'approval' | 'by' | 'fourEyes'
>

/** Returns the wait of a call for the answer of a person. */
export function waitFor<State>(
  { turn, origin }: RunScope<State>,
  call: ModelToolCall,
  { reason, requestKeys, ...asked }: Question,
): Wait {
  const digest = turn.sha256(`${call.name}\n${call.input}`)
  const details = asked.approval ?? asked.interrupt
  const question = JSON.stringify(details ? [requestKeys, details] : requestKeys)
  const { agent, depth, run } = origin
  const answered = turn.answers.get(call.id)
  const approvedBy = turn.approvedBy.get(call.id)
  const { actor, role } = turn.caller
  const asker = { ...(actor !== undefined && { actor }), ...(role !== undefined && { role }) }
  return {
    // Derived from the question: the answer to one question fits no other.
    id: stableId(turn.thread, turn.turn, call.id, reason, digest, question),
    reason,
    requestKeys,
    ...formOf(asked),
    toolCallId: call.id,
    toolName: call.name,
    arguments: call.input,
    digest,
    ...(answered ? { answered } : {}),
    ...(approvedBy && { approvedBy }),
    ...(Object.keys(asker).length > 0 && { asker }),
    agent,
    depth,
    run,
  }
}

function formOf({
  schema,
  interrupt,
  approval,
  by,
  fourEyes,
}: Omit<Question, 'reason' | 'requestKeys'>) {
  return {
    ...(schema && { schema }),
    ...(interrupt && { interrupt }),
    ...(approval && { approval }),
    ...(by && { by }),
    ...(fourEyes && { fourEyes }),
  }
}
