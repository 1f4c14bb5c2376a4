import type { ClientError } from 'throughline/client'
import type { DeadEndProps } from './dead-end.tsx'
import { DeadEnd } from './dead-end.tsx'
import { readFragment } from './fragment.ts'
import { WORDS } from './words.ts'

const UNAUTHORIZED = 401

export interface RefusedNoticeProps extends Pick<DeadEndProps, 'code' | 'reader'> {
  readonly error?: ClientError | undefined
}

/** The server does not serve this thread to this page. */
export function RefusedNotice({ code, reader, error }: RefusedNoticeProps) {
  if (reader === 'customer' && error?.problem?.status === UNAUTHORIZED) {
    // No link was used in this browser: the server may well hold the case.
    return <DeadEnd {...WORDS.customerRefused.elsewhere} reader={reader} />
  }
  // A page that has a seed was open before.
  const wasOpen = readFragment('seed') !== undefined
  const { link, lost } =
    reader === 'customer'
      ? WORDS.customerRefused
      : { link: WORDS.refusedLink, lost: WORDS.lostCase }
  const { title, text, acts } = wasOpen ? lost : link
  return <DeadEnd title={title} text={text} acts={acts} reader={reader} code={code} />
}
