import { setImmediate } from 'node:timers/promises'
import { ChainCheck, NOTHING_UNANCHORED } from '../../log/index.ts'
import type { Anchor, ChainVerdict, Verification } from '../../log/index.ts'
import { sha256 } from '../../platform/index.ts'
import type { PostgresReader } from './postgres-reader.ts'
import type { HeadSigner, StoredHead } from './signed-head.ts'

export interface VerifyParts {
  readonly reader: PostgresReader
  readonly signer: HeadSigner
  /** The head that is known from outside the database. */
  readonly outside: Anchor | undefined
}

/** Checks the stored records of a thread against the chain and its signed head. */
export async function verifyRows(
  { reader, signer, outside }: VerifyParts,
  thread: string,
): Promise<Verification> {
  const head = await reader.head(thread)
  if (outside && outside.seq > (head?.seq ?? -1)) {
    const seq = head?.seq ?? -1
    return { ok: false, head: seq, firstBadSeq: seq + 1, ...NOTHING_UNANCHORED }
  }
  if (!head || head.seq === -1) return { ok: true, head: -1, ...NOTHING_UNANCHORED }
  const verdict = await checkChain(reader, head, outside)
  const { seq, hash, ts, adopted } = head
  if (signer.accepts(head)) {
    const moments = { anchored: { seq, hash, ts }, ...(adopted && { adopted }) }
    return { ...verdict, ...moments, ...NOTHING_UNANCHORED }
  }
  // No head vouches for any of the sound records.
  const unanchored = verdict.ok ? seq + 1 : verdict.firstBadSeq
  return { ...verdict, unanchored, unanchoredFrom: [0] }
}

async function checkChain(
  reader: PostgresReader,
  head: StoredHead,
  outside: Anchor | undefined,
): Promise<ChainVerdict> {
  const { thread } = head
  const check = new ChainCheck({ thread, sha256, anchor: head })
  let last = -1
  for (;;) {
    const rows = await reader.rows(thread, last)
    if (rows.length === 0) break
    for (const { seq, id, hash, body } of rows) {
      // Records that are appended meanwhile have no part in the verdict.
      if (seq > head.seq) return check.verdict(head.seq)
      const isOther = seq === outside?.seq && hash !== outside.hash
      if (isOther || seq !== check.seq || !check.accepts({ body, hash, id })) {
        return { ok: false, head: head.seq, firstBadSeq: check.seq }
      }
      last = seq
    }
    await setImmediate()
  }
  return check.verdict(head.seq)
}
