import { hash } from 'node:crypto'

type Row = Readonly<Record<string, object>>

/** Exports of sealed records whose first record shows what the hashes do not cover. */
export function forgedExports(text: string): readonly string[] {
  const [line = '', ...others] = text.split('\n')
  const first = JSON.parse(line) as Row
  return [
    // Somebody else's stored form, which the hash would cover.
    [{ ...first, type: 'refunded', stored: { ...first['stored'], type: first['type'] } }, others],
    [{ ...first, origin: { ...first['origin'], actor: 'eve' } }, others],
    // A member of the application's own that has the name of the seal is no seal.
    [withNoSeal(first), ['{"complete":true,"records":1}', '']],
  ].map(([row, rest]) => [JSON.stringify(row), ...(rest as string[])].join('\n'))
}

function withNoSeal({ hash: _hash, stored, ...row }: Row): object {
  const data = { note: { 'throughline.sealed': {} } }
  const body = JSON.stringify({ ...row, ...stored, data })
  const [prev, shown] = [row['prev'], { data: { ...data, approved: true } }]
  const ownHash = hash('sha256', `${String(prev)}\n${body}`)
  return { ...row, ...shown, hash: ownHash, stored: { ...stored, data } }
}
