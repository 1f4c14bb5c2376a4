import type { CustomerContact } from '../case/index.ts'
import { readEmail } from './email-words.ts'
import { readMobile } from './mobile-words.ts'
import { readName } from './name-words.ts'
import type { Unclear } from './unclear.ts'

interface ContactReading {
  readonly contact: CustomerContact
  readonly unclear: readonly Unclear[]
  /** The message without its email address and mobile number. */
  readonly rest: string
}

/** Finds who the customer is and how to reach them; `known` is the first name so far. */
export function readContact(said: string, known = ''): ContactReading {
  const { email, wrong: noEmail, rest: withoutEmail } = readEmail(said)
  const { mobile, wrong: noMobile, rest } = readMobile(withoutEmail)
  const name = readName(rest, {
    beside: email !== undefined || mobile !== undefined,
    known,
  })
  return {
    contact: { ...name, ...(email && { email }), ...(mobile && { mobile }) },
    unclear: [...(noMobile ? (['mobile'] as const) : []), ...(noEmail ? (['email'] as const) : [])],
    rest,
  }
}
