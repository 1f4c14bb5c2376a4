import { scriptedModel } from 'throughline'
import type { LanguageModel, ScriptedAnswer, ScriptedCall } from 'throughline'
import { archiveReply, carrierReply, ordersReply, policyReply } from './back-office-replies.ts'
import { deskReply } from './desk-reply.ts'
import { sceneOf } from './scene.ts'
import type { Scene } from './scene.ts'
import { writerReply } from './writer-reply.ts'

interface ScriptedDeskOptions {
  /** Milliseconds between streamed parts. */
  readonly chunkDelayMs?: number
}

type Reply = (scene: Scene) => ScriptedAnswer

const REPLIES: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['desk', deskReply],
  ['orders', ordersReply],
  ['archive', archiveReply],
  ['carrier', carrierReply],
  ['policy', policyReply],
  ['writer', writerReply],
])

/** A model that plays all of the desk's agents. Like any model it knows only the prompt that it is given. */
export function scriptedDesk({ chunkDelayMs }: ScriptedDeskOptions = {}): LanguageModel {
  const pace = chunkDelayMs === undefined ? {} : { chunkDelayMs }
  return scriptedModel(replyTo, { modelId: 'scripted-desk', ...pace })
}

function replyTo(call: ScriptedCall): ScriptedAnswer {
  const [, name = ''] = /^You are "(\w+)"/.exec(call.system) ?? []
  const reply = REPLIES.get(name)
  // A long conversation is given without a role, to be summed up.
  return reply ? reply(sceneOf(call)) : { text: 'A customer talked to the refunds desk.' }
}
