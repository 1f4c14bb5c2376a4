import { useState } from 'react'
import { ChatBubble, Composer } from '../kit/index.ts'
import { Sample, Section } from './section.tsx'

export function ConversationSection() {
  const [sent, setSent] = useState<readonly string[]>([])
  return (
    <Section title="Conversation">
      <Sample of="ChatBubble" width="whole">
        <ChatBubble role="user" text="What does APR mean?" />
        <ChatBubble
          role="assistant"
          text="APR is the cost of the loan for a year, with all charges. It helps you compare loans."
        />
        {sent.map((text, index) => (
          <ChatBubble key={index} role="user" text={text} />
        ))}
      </Sample>
      <Sample of="Composer" width="whole">
        <Composer readiness="ready" onSend={(text) => setSent([...sent, text].slice(-5))} />
      </Sample>
    </Section>
  )
}
