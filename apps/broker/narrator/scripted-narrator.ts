import { scriptedModel } from 'throughline'
import type { ScriptedCall } from 'throughline'
import { customerReply } from './customer-replies.ts'
import { lastHeard } from './heard.ts'
import { installerReply } from './installer-replies.ts'
import { misbehaving } from './misbehaviour.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { readLine } from './prompt-lines.ts'

export interface ScriptedNarratorOptions {
  /** Milliseconds between streamed parts. */
  readonly chunkDelayMs?: number
  readonly misbehave?: Misbehaviour
}

/**
 * The narrator that needs no API key. Like a model, it reads only its prompt: the side, the state of the
 * case and the last message.
 */
export function scriptedNarrator(
  options: ScriptedNarratorOptions = {},
): ReturnType<typeof scriptedModel> {
  const { chunkDelayMs, misbehave } = options
  return scriptedModel(
    (call) => {
      const reply = goodReply(call)
      return misbehave ? misbehaving(misbehave, { system: call.system, reply }) : reply
    },
    { modelId: 'scripted-narrator', ...(chunkDelayMs === undefined ? {} : { chunkDelayMs }) },
  )
}

function goodReply({ system, messages }: ScriptedCall): string {
  const reply = readLine(system, 'ROLE') === 'installer' ? installerReply : customerReply
  return reply(system, lastHeard(messages))
}
