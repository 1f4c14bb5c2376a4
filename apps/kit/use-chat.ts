import { useState } from 'react'
import { isSpoken } from 'throughline/agui'
import type { Conversation, SpokenMessage } from 'throughline/agui'
import type { Turns } from './use-turns.ts'

/** A message of the person's that the stream has not shown yet. */
export interface PendingMessage {
  readonly text: string
  readonly status: 'sending' | 'failed'
}

export interface Chat {
  readonly messages: readonly SpokenMessage[]
  readonly pending: PendingMessage | undefined
  readonly say: (text: string) => void
}

/** The conversation as a page shows it: what is recorded, then what has just been sent. */
export function useChat(conversation: Conversation, turns: Turns): Chat {
  const [sent, setSent] = useState<{ readonly text: string; readonly after: number }>()
  const messages = conversation.messages.filter(isSpoken)
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  const arrived = sent === undefined || said.slice(sent.after).includes(sent.text)
  const { status } = turns.sending
  return {
    messages,
    pending:
      arrived || status === 'idle'
        ? undefined
        : { text: sent.text, status: status === 'failed' ? 'failed' : 'sending' },
    say: (text) => {
      setSent({ text, after: said.length })
      void turns.take({ userMessage: text })
    },
  }
}
