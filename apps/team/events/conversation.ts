import type { Payload } from './payloads.ts'

/** Whether a message belongs to the conversation: the server asks for the greeting, a form for help with a job. */
export function isConversation({ ask }: Pick<Payload<'user_message'>, 'ask'>): boolean {
  return ask?.kind !== 'greeting' && ask?.kind !== 'job_help'
}
