import { ChainCheck } from '../../log/index.ts'
import type { Anchor, ChainVerdict, Verification } from '../../log/index.ts'
import { unanchoredIn } from './anchored-head.ts'
import type { AnchoredHead } from './anchored-head.ts'
import { sha256 } from '../../platform/index.ts'
import { storageError } from '../files/storage-error.ts'
import type { SqliteReader } from '../sqlite/sqlite-reader.ts'

/** Rows checked before other work gets its turn. */
const PAGE_ROWS = 256

/** Strict, and blind to nothing: two different stored texts never decode to the same string. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export interface VerifyTerms {
  readonly thread: string
  /** The last seq to check: later records are not checked. */
  readonly end: number
  /** The thread's entry in the heads file. */
  readonly witness: AnchoredHead | undefined
  /** The head that this process has committed, if any. */
  readonly known: Anchor | undefined
}

/** Checks what lies on the disk against the chain and the thread's anchor. */
export async function verifyThread(
  reader: SqliteReader,
  terms: VerifyTerms,
  pause: () => Promise<void>,
): Promise<Verification> {
  const { witness } = terms
  const verdict = await checkChain(reader, terms, pause)
  const soundUpTo = verdict.ok ? verdict.head : verdict.firstBadSeq - 1
  const anchored = witness && { seq: witness.seq, hash: witness.hash, ts: witness.ts }
  const adopted = witness?.adopted
  const moments = { ...(anchored && { anchored }), ...(adopted && { adopted }) }
  return { ...verdict, ...moments, ...unanchoredIn(witness, soundUpTo) }
}

async function checkChain(
  reader: SqliteReader,
  { thread, end, witness, known }: VerifyTerms,
  pause: () => Promise<void>,
): Promise<ChainVerdict> {
  const anchor = (known?.seq ?? -1) > (witness?.seq ?? -1) ? known : witness
  const check = new ChainCheck({ thread, sha256, anchor })
  try {
    while (acceptsPage(reader, { thread, end }, check)) await pause()
    const head = Math.min(reader.head(thread), end)
    // More was read than is found from the end: a reader would lose the rest.
    if (head < check.seq - 1) return { ok: false, head, firstBadSeq: head + 1 }
    return check.verdict(head)
  } catch (error) {
    const failure = storageError(`verify "${thread}"`, error)
    if (failure.code !== 'corrupt') throw failure
    const head = Math.max(check.seq - 1, anchor?.seq ?? -1)
    return { ok: false, head, firstBadSeq: check.seq }
  }
}

/** False at a row that is not as it should be, and at the end. */
function acceptsPage(
  reader: SqliteReader,
  { thread, end }: Pick<VerifyTerms, 'thread' | 'end'>,
  check: ChainCheck,
): boolean {
  const first = check.seq
  const limit = Math.min(PAGE_ROWS, end + 1 - first)
  for (const { seq, id, hash, body, found } of reader.rows(thread, first - 1, limit)) {
    if (seq !== check.seq || !found) return false
    const text = textIn(body)
    if (text === undefined || !check.accepts({ body: text, hash, id })) return false
  }
  return check.seq === first + PAGE_ROWS
}

/** The last stored seq, or no bound when the database cannot tell. */
export function endOf(reader: SqliteReader, thread: string): number {
  try {
    return reader.head(thread)
  } catch (error) {
    const failure = storageError(`verify "${thread}"`, error)
    if (failure.code !== 'corrupt') throw failure
    return Number.MAX_SAFE_INTEGER - 1
  }
}

function textIn(body: Uint8Array): string | undefined {
  try {
    return UTF8.decode(body)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
