import { Notice } from './notice.tsx'
import { WORDS } from './words.ts'

/** The server will not serve this thread to this page. */
export function RefusedNotice() {
  return <Notice title={WORDS.connection.refusedTitle}>{WORDS.connection.refused}</Notice>
}
