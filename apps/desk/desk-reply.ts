import type { ScriptedAnswer } from 'throughline'
import { memberIn, orderIn } from './scene.ts'
import type { Scene, SceneResult } from './scene.ts'
import { REFUND_ALONE_POUNDS_MAX } from './tools.ts'

const COMPLAINT =
  /refund|money|return|broke|damag|crack|missing|never|lost|wrong|late|complain|not arriv/i
const BROKEN = /broke|damag|crack/i

/** Each tool is called at most once for one message, so it ends after any results. */
export function deskReply(scene: Scene): ScriptedAnswer {
  const handover = scene.result('handoff_to_writer')
  if (handover) return { text: 'That is settled; nobody is free to write to you right now.' }
  const refunded = scene.result('refund')
  const asked = scene.result('ask_order_number')
  const order = orderIn(asked?.text ?? scene.heard)
  if (order === undefined) return asked ? NO_NUMBER : withoutOrder(scene)
  if (refunded) return handOver(order, { scene, outcome: outcomeOf(refunded) })
  const settled = settledBefore(scene, order)
  if (settled !== undefined) return { text: `Order ${order} is settled already: ${settled}.` }
  const found = scene.result('call_orders')
  return found ? withFacts(order, { scene, found }) : askAround(order, scene)
}

const NO_NUMBER = {
  text: 'I find no order number in that. It has four digits and stands on your receipt.',
}

function withoutOrder({ heard }: Scene): ScriptedAnswer {
  if (COMPLAINT.test(heard)) {
    return {
      text: 'I am sorry to hear that.',
      toolCalls: [{ name: 'ask_order_number', input: {} }],
    }
  }
  return {
    text: 'This is the refunds desk of Northlight. Tell me what is wrong with which order; this demonstration has 4711, 4712 and 4713.',
  }
}

function askAround(order: string, { heard, result }: Scene): ScriptedAnswer {
  const question = { name: 'call_orders', input: { message: `What happened to order ${order}?` } }
  if (!COMPLAINT.test(heard) && !result('ask_order_number')) {
    return { text: `Let me look into order ${order}.`, toolCalls: [question] }
  }
  const message = 'When do we refund, and who has to agree?'
  return {
    reasoning: 'What happened and what is promised are two questions for two people. Ask both now.',
    text: `Let me look into order ${order}.`,
    toolCalls: [question, { name: 'call_policy', input: { message } }],
  }
}

function withFacts(
  order: string,
  { scene, found }: { readonly scene: Scene; readonly found: SceneResult },
): ScriptedAnswer {
  const pounds = Number(/£(\d+\.\d\d)/.exec(found.text)?.[1])
  if (found.failed || !(pounds > 0)) return { text: found.text }
  if (!scene.result('call_policy')) return { text: found.text }
  const broken = BROKEN.test(scene.heard)
  if (broken && pounds <= REFUND_ALONE_POUNDS_MAX && !scene.result('customer_photo')) {
    const photo = { name: 'customer_photo', input: { of: itemIn(found.text) } }
    return { text: 'A photo is enough for that.', toolCalls: [photo] }
  }
  const reason = broken ? 'it arrived broken' : 'it is not as it should be'
  return {
    reasoning: `${found.text} The full price may be given back.`,
    text: 'That is for us to put right.',
    toolCalls: [{ name: 'refund', input: { order, pounds, reason } }],
  }
}

function handOver(
  order: string,
  { scene, outcome }: { readonly scene: Scene; readonly outcome: string },
): ScriptedAnswer {
  const item = itemIn(scene.result('call_orders')?.text ?? '')
  const message = `Order ${order}, ${item}: ${outcome}.`
  return { toolCalls: [{ name: 'handoff_to_writer', input: { message } }] }
}

function outcomeOf({ text, failed }: SceneResult): string {
  return failed || memberIn(text, 'reference') === '' ? `no refund. ${text}` : refundIn(text)
}

/** The refund of an order in an earlier turn, if there was one. */
function settledBefore({ earlier }: Scene, order: string): string | undefined {
  const made = earlier.find(
    (message) =>
      message.role === 'tool' &&
      message.toolName === 'refund' &&
      memberIn(message.text, 'reference') === `R-${order}`,
  )
  return made && refundIn(made.text)
}

function refundIn(result: string): string {
  return `${memberIn(result, 'refunded')} refunded, reference ${memberIn(result, 'reference')}`
}

function itemIn(facts: string): string {
  return /^Order \d{4}: ([^,]+),/.exec(facts)?.[1] ?? 'the item'
}
