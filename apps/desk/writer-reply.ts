import type { ScriptedAnswer } from 'throughline'
import type { Scene } from './scene.ts'

export function writerReply({ heard }: Scene): ScriptedAnswer {
  const [, brief = ''] = /hands this conversation over to you: ([^]*)\]$/.exec(heard) ?? []
  const [, order, item, outcome = ''] = /^Order (\d{4}), ([^:]+): ([^]*)\.$/.exec(brief) ?? []
  if (order === undefined)
    return { text: 'Thank you for your patience. We will write to you soon.' }
  const [, sum, reference] = /^(\S+) refunded, reference (\S+)$/.exec(outcome) ?? []
  if (sum === undefined) {
    const why = outcome.replace(/^no refund\. /, '')
    return {
      text: `I am sorry, but for order ${order} (${item}) I cannot promise you a refund. What I was told: ${why}. Answer here if you see it differently.`,
    }
  }
  return {
    text: `I am sorry about your ${item}. We give you back ${sum} for order ${order}; it takes about three days. The reference is ${reference}.`,
  }
}
