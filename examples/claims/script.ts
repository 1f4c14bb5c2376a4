import type { ScriptedCall, ScriptedReply } from 'throughline'

/** Plays the model without a key. A model of an AI SDK provider goes in its place. */
export function script({ messages }: ScriptedCall): ScriptedReply {
  const texts = messages.map(({ text }) => text.replaceAll(/\[Your event.*?\]\s*/g, ''))
  const last = texts.findLast((text) => text !== '') ?? ''
  const said = texts.find((text) => /P-\d/.test(text)) ?? ''
  const policy = /P-\d+/.exec(said)?.[0] ?? ''
  const report = { policy, name: /I am ([\w ]+)/.exec(said)?.[1] ?? '', what: said }
  const replies: readonly (readonly [RegExp, ScriptedReply])[] = [
    [/no policy|cut off/, last],
    [/cover/, call('call_fraud', { message: said })],
    [/fraud/, { ...call('take_photo', {}), text: `I take it down. ${tag('reported', report)}` }],
    [/\.jpg/, `Thank you for ${last}. ${tag('assessed', { pounds: 6_200 })}`],
    [/^Not run yet/, 'A handler decides about the payment. I will tell you.'],
    [/^\[The call/, `News of your payment: ${last}`],
    [/pay/i, call('pay', { pounds: 6_200 })],
    [/P-\d+/, call('look_up_policy', { policy })],
  ]
  return replies.find(([pattern]) => pattern.test(last))?.[1] ?? 'What else can I do for you?'
}
const call = (name: string, input: object) => ({ toolCalls: [{ name, input }] })
const tag = (type: string, data: object) =>
  `<agent-event type="${type}" data='${JSON.stringify(data)}' />`
