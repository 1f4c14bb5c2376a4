import { day } from './format.ts'
import { DeadEnd } from './dead-end.tsx'
import type { DeadEndProps } from './dead-end.tsx'
import { WORDS } from './words.ts'

export interface ErasedNoticeProps extends Pick<DeadEndProps, 'code' | 'reader'> {
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The person of this thread was erased: nothing of it can be shown, or done, any more. */
export function ErasedNotice({ at, code, reader }: ErasedNoticeProps) {
  const { title, text, acts } = reader === 'customer' ? WORDS.customerErased : WORDS.erasedCase
  return (
    <DeadEnd title={title} text={text(day(at))} acts={acts} reader={reader} code={code} isFinal />
  )
}
