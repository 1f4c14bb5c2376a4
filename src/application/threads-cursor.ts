import { INDEX_TEXT_CHARS_MAX, indexKey } from '../log/index.ts'
import type { RankedThread, Sha256, ThreadOrder, ThreadPlace } from '../log/index.ts'
import { invalidQuery } from './value-range.ts'

/** Of a cursor: the tag, and below a mask the rank, the length of the key, and the key with a filling. */
const TAG_CHARS = 16
const RANK_CHARS = 12
const LENGTH_CHARS = 4
const KEY_AT = RANK_CHARS + LENGTH_CHARS
/** A text gets the space of the longest one, whatever its length. */
const NUMBER_KEY_CHARS = indexKey(0).length
const TEXT_KEYS_BEGIN = indexKey('')
const TEXT_KEY_CHARS = indexKey('x'.repeat(INDEX_TEXT_CHARS_MAX)).length
const BLOCK_CHARS = 64
const CURSOR = new RegExp(`^[0-9a-f]{1,${TAG_CHARS + KEY_AT + TEXT_KEY_CHARS}}$`)

interface CursorTerms {
  /** Known to the server alone. */
  readonly generation: string
  readonly orderBy?: ThreadOrder | undefined
  readonly sha256: Sha256
}

/**
 * The cursor of a thread in a list; it means nothing in another generation of the index or in another order.
 * Its place is masked: a reader would learn how many threads lie between two cursors, and the value of a
 * thread that they may not enter.
 */
export function cursorOf(row: RankedThread, terms: CursorTerms): string {
  const { orderBy } = terms
  const value = orderBy && row.values?.[orderBy.name]
  return cursorAt({ rank: row.rank, key: value === undefined ? '' : indexKey(value) }, terms)
}

/** @throws {@link ApplicationError} `invalid_query` for a cursor that this list never gave */
export function placeOf(cursor: string, terms: CursorTerms): ThreadPlace {
  const place = CURSOR.test(cursor) ? placeIn(cursor, terms) : undefined
  if (place && cursor === cursorAt(place, terms)) return place
  throw invalidQuery(
    `after "${cursor}"`,
    'no page of this list as it is now ended there; begin again without "after"',
  )
}

function placeIn(cursor: string, terms: CursorTerms): ThreadPlace {
  const text = masked(cursor.slice(TAG_CHARS), cursor.slice(0, TAG_CHARS), terms)
  const [rank, length] = [text.slice(0, RANK_CHARS), text.slice(RANK_CHARS, KEY_AT)]
  const keyLength = Number.parseInt(length, 16) || 0
  return {
    rank: Number.parseInt(rank, 16) || 0,
    key: text.slice(KEY_AT, KEY_AT + keyLength),
  }
}

function cursorAt({ rank, key }: ThreadPlace, terms: CursorTerms): string {
  const { generation, orderBy, sha256 } = terms
  const order = orderBy ? `${orderBy.name} ${orderBy.direction}` : ''
  const text = `${digits(rank, RANK_CHARS)}${orderBy ? filled(key) : ''}`
  const tag = sha256(`tag ${generation} ${order} ${text}`).slice(0, TAG_CHARS)
  return `${tag}${masked(text, tag, terms)}`
}

function filled(key: string): string {
  const room = key.startsWith(TEXT_KEYS_BEGIN) ? TEXT_KEY_CHARS : NUMBER_KEY_CHARS
  return `${digits(key.length, LENGTH_CHARS)}${key.padEnd(room, '0')}`
}

function digits(number: number, length: number): string {
  return number.toString(16).padStart(length, '0')
}

/** Masks a text of hexadecimal digits, and unmasks it again. */
function masked(text: string, tag: string, { generation, sha256 }: CursorTerms): string {
  let result = ''
  for (let at = 0; at < text.length; at += BLOCK_CHARS) {
    const block = text.slice(at, at + BLOCK_CHARS)
    const mask = sha256(`mask ${generation} ${tag} ${at}`).slice(0, block.length)
    const hidden = BigInt(`0x${block}`) ^ BigInt(`0x${mask}`)
    result += hidden.toString(16).padStart(block.length, '0')
  }
  return result
}
