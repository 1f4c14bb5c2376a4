import { ChainCheck } from '../log/index.ts'
import type { ChainTerms, Verification } from '../log/index.ts'
import { storageError } from './sqlite-error.ts'
import type { SqliteReader } from './sqlite-reader.ts'

/** Rows checked before other work gets its turn. */
const PAGE_ROWS = 256

/** Strict, and blind to nothing: two different stored texts never decode to the same string. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Checks what lies on the disk against the chain and the thread's anchor. */
export async function verifyThread(
  reader: SqliteReader,
  terms: ChainTerms,
  pause: () => Promise<void>,
): Promise<Verification> {
  const check = new ChainCheck(terms)
  try {
    while (acceptsPage(reader, terms.thread, check)) await pause()
    const head = reader.head(terms.thread)
    // More was read than is found from the end: a reader would lose the rest.
    if (head < check.seq - 1) return { ok: false, head, firstBadSeq: head + 1 }
    return check.verdict(head)
  } catch (error) {
    const failure = storageError(`verify "${terms.thread}"`, error)
    if (failure.code !== 'corrupt') throw failure
    const head = Math.max(check.seq - 1, terms.anchor?.seq ?? -1)
    return { ok: false, head, firstBadSeq: check.seq }
  }
}

/** False at a row that is not as it should be, and at the end. */
function acceptsPage(reader: SqliteReader, thread: string, check: ChainCheck): boolean {
  const first = check.seq
  for (const { seq, id, hash, body, found } of reader.rows(thread, first - 1, PAGE_ROWS)) {
    if (seq !== check.seq || !found) return false
    const text = textIn(body)
    if (text === undefined || !check.accepts({ body: text, hash, id })) return false
  }
  return check.seq === first + PAGE_ROWS
}

function textIn(body: Uint8Array): string | undefined {
  try {
    return UTF8.decode(body)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
