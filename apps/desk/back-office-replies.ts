import type { ScriptedAnswer } from 'throughline'
import { startOf } from 'throughline/client'
import { memberIn, orderIn } from './scene.ts'
import type { Scene } from './scene.ts'

export function ordersReply({ heard, result, results }: Scene): ScriptedAnswer {
  const order = orderIn(heard)
  if (order === undefined) return { text: 'There is no order number in that.' }
  const found = result('look_up_order')
  if (!found) return { toolCalls: [{ name: 'look_up_order', input: { order } }] }
  if (found.failed) return { text: `There is no order ${order}. ${found.text}.` }
  const [item, price, parcel] = ['item', 'price', 'parcel'].map((name) =>
    memberIn(found.text, name),
  )
  const answers = results('call_archive')
  if (answers.length === 0) {
    return {
      reasoning: 'Payment and delivery do not depend on each other.',
      toolCalls: [
        { name: 'call_archive', input: { message: `What was paid for order ${order}?` } },
        { name: 'call_archive', input: { message: `How was parcel ${parcel} delivered?` } },
      ],
    }
  }
  const told = answers.map(({ text }) => text).join(' ')
  return { text: `Order ${order}: ${item}, ${price}. ${told}` }
}

export function archiveReply({ heard, result }: Scene): ScriptedAnswer {
  const [parcel] = /NL-[\d-]+/.exec(heard) ?? []
  if (parcel !== undefined) {
    const traced = result('call_carrier')
    if (traced) return { text: traced.text }
    return { toolCalls: [{ name: 'call_carrier', input: { message: `Trace ${parcel}, please.` } }] }
  }
  const order = orderIn(heard)
  if (order === undefined) return { text: 'The archive needs the number of an order or a parcel.' }
  const found = result('search_archive')
  if (!found) return { toolCalls: [{ name: 'search_archive', input: { order } }] }
  return { text: found.failed ? `${found.text}.` : `Paid: ${memberIn(found.text, 'paid')}.` }
}

export function carrierReply({ heard, result }: Scene): ScriptedAnswer {
  const [parcel] = /NL-[\d-]+/.exec(heard) ?? []
  if (parcel === undefined) return { text: 'The carrier needs the number of a parcel.' }
  const traced = result('trace_parcel')
  if (!traced) return { toolCalls: [{ name: 'trace_parcel', input: { parcel } }] }
  if (traced.failed) return { text: `The carrier cannot say: ${traced.text}.` }
  return { text: `Delivery: ${memberIn(traced.text, 'lastSeen')}.` }
}

export function policyReply({ heard, result }: Scene): ScriptedAnswer {
  const read = result('read_policy')
  if (read) return { text: read.text }
  return { toolCalls: [{ name: 'read_policy', input: { topic: startOf(heard, 200) } }] }
}
