import { startOf } from 'throughline/client'
import { DEATHS_MAX } from '../events/index.ts'
import type { Payload, Waiting } from '../events/index.ts'

/** The error to record when a session ends for good with messages that wait. */
export function unansweredOf(waiting: readonly Waiting[]): Payload<'server_error'> {
  const which = waiting.length === 1 ? 'a message was' : `${waiting.length} messages were`
  const message = `The session ended before ${which} answered`
  return { message, code: 'unknown', answers: waiting.map(({ id }) => id) }
}

/** The error to record when the program has ended; a message that it ends on again and again is set aside. */
export function programEnded(
  stderr: string,
  message: Waiting | undefined,
): Payload<'server_error'> {
  const said = startOf(stderr.trim().split('\n').at(-1) ?? '', 500)
  const why = said === '' ? '' : `: ${said}`
  const ended = { message: `The program ended${why}`, code: 'process_exited' } as const
  if (!message) return ended
  const { id, deaths } = message
  if (deaths + 1 < DEATHS_MAX) return { ...ended, diedOn: id }
  return {
    ...ended,
    message: `A message is not delivered, because the program ended twice on it${why}`,
    answers: [id],
    isSetAside: true,
  }
}
