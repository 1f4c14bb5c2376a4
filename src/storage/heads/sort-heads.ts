import { encodeHeads, syncedMark } from './heads-lines.ts'
import type { LineSigner, NamedHead } from './heads-lines.ts'
import { nothingRead } from './read-heads.ts'
import type { ReadHeads } from './read-heads.ts'

/** Heads that share a line: the unit that is read to find one of them. */
const HEADS_PER_LINE = 32

/** A whole heads file with one head for each thread, and what reading it would tell. */
export function sortedFile(
  heads: Iterable<NamedHead>,
  { sign, epoch }: { readonly sign: LineSigner; readonly epoch: string },
): { readonly bytes: Buffer; readonly read: ReadHeads } {
  const read = nothingRead(sign)
  const lines: Buffer[] = []
  const write = (text: string) => {
    const before = read.mac
    const bytes = Buffer.from(text)
    const mac = sign(before, bytes)
    const start = Buffer.from(`${mac} `)
    const offset = read.size + start.length
    lines.push(start, bytes, LINE_END)
    read.mac = mac
    read.size = offset + bytes.length + LINE_END.length
    return { before, mac, offset, length: bytes.length }
  }
  write(`throughline-heads 2 ${epoch}`)
  for (const some of inGroups(heads)) {
    const [first = ''] = some[0] ?? []
    read.blocks.push({ first, ...write(encodeHeads(some)) })
  }
  write(syncedMark(read.size, sign))
  read.sortedEnd = read.size
  read.isSynced = true
  return { bytes: Buffer.concat(lines), read }
}

const LINE_END = Buffer.from('\n')

function* inGroups(heads: Iterable<NamedHead>): Generator<readonly NamedHead[]> {
  let group: NamedHead[] = []
  for (const head of heads) {
    group.push(head)
    if (group.length < HEADS_PER_LINE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
