import { createHash } from 'node:crypto'

/** Of SHA-256. */
export type Hash = Buffer

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)
const EMPTY_ROOT = createHash('sha256').digest()

export function leafHash(data: string): Hash {
  return createHash('sha256').update(LEAF).update(data).digest()
}

function nodeHash(left: Hash, right: Hash): Hash {
  return createHash('sha256').update(NODE).update(left).update(right).digest()
}

const HASH_BYTES = 32

/** Hashes one behind the other: an object for each would take ten times the memory. */
class HashRow {
  length = 0
  #bytes = Buffer.alloc(HASH_BYTES)

  push(hash: Hash): void {
    const at = this.length * HASH_BYTES
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * at)
    hash.copy(this.#bytes, at)
    this.length++
  }

  at(place: number): Hash | undefined {
    const from = place * HASH_BYTES
    // A copy: these bytes move when the row grows.
    return place < this.length
      ? Buffer.from(this.#bytes.subarray(from, from + HASH_BYTES))
      : undefined
  }
}

/** The Merkle tree of RFC 6962 over leaves that are only ever added. It holds 64 to 128 bytes a leaf. */
export class MerkleTree {
  /** By level: the hashes of all whole subtrees of 2^level leaves. */
  readonly #levels: HashRow[] = [new HashRow()]

  get size(): number {
    return this.#levels[0]?.length ?? 0
  }

  /** What further leaves would make of it. */
  with(leaves: Iterable<Hash>): { readonly size: number; readonly root: Hash } {
    const edge = this.#levels.map((row) =>
      row.length % 2 === 1 ? row.at(row.length - 1) : undefined,
    )
    let { size } = this
    for (const leaf of leaves) {
      addToEdge(edge, leaf)
      size++
    }
    const root = edge.reduce((right, left) =>
      left && right ? nodeHash(left, right) : (left ?? right),
    )
    return { size, root: root ?? EMPTY_ROOT }
  }

  add(leaf: Hash): void {
    let hash = leaf
    for (let level = 0; ; level++) {
      const row = (this.#levels[level] ??= new HashRow())
      row.push(hash)
      if (row.length % 2 === 1) return
      hash = nodeHash(row.at(row.length - 2) ?? hash, hash)
    }
  }

  /** The root over the first leaves. */
  root(size = this.size): Hash {
    return size === 0 ? EMPTY_ROOT : this.#hashOf(0, size)
  }

  /** The hashes that lead from a leaf to the root over the first `size` leaves. */
  inclusion(index: number, size: number): readonly Hash[] {
    return this.#path(index, 0, size)
  }

  /** The hashes that show that the first `size` leaves begin with the first `from`. */
  consistency(from: number, size: number): readonly Hash[] {
    return from === 0 || from === size
      ? []
      : this.#shared(from, { begin: 0, end: size, isWhole: true })
  }

  #path(index: number, begin: number, end: number): readonly Hash[] {
    if (end - begin === 1) return []
    const middle = begin + splitOf(end - begin)
    return index < middle
      ? [...this.#path(index, begin, middle), this.#hashOf(middle, end)]
      : [...this.#path(index, middle, end), this.#hashOf(begin, middle)]
  }

  #shared(
    from: number,
    { begin, end, isWhole }: Range & { readonly isWhole: boolean },
  ): readonly Hash[] {
    if (from === end) return isWhole ? [] : [this.#hashOf(begin, end)]
    const middle = begin + splitOf(end - begin)
    if (from <= middle)
      return [...this.#shared(from, { begin, end: middle, isWhole }), this.#hashOf(middle, end)]
    return [
      ...this.#shared(from, { begin: middle, end, isWhole: false }),
      this.#hashOf(begin, middle),
    ]
  }

  /** Of the leaves of a subtree, which `splitOf` has found: a whole one is known. */
  #hashOf(begin: number, end: number): Hash {
    const size = end - begin
    const level = Math.log2(size)
    const known = Number.isInteger(level) ? this.#levels[level]?.at(begin / size) : undefined
    if (known) return known
    const middle = begin + splitOf(size)
    return nodeHash(this.#hashOf(begin, middle), this.#hashOf(middle, end))
  }
}

/** By level: the whole subtree that has no neighbour yet. */
function addToEdge(edge: (Hash | undefined)[], leaf: Hash): void {
  let hash = leaf
  for (let level = 0; ; level++) {
    const left = edge[level]
    edge[level] = left ? undefined : hash
    if (!left) return
    hash = nodeHash(left, hash)
  }
}

interface Range {
  readonly begin: number
  readonly end: number
}

/** The largest power of two below a size. */
function splitOf(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1))
}

export interface ProvenLeaf {
  readonly leaf: Hash
  readonly index: number
  readonly size: number
  readonly hashes: readonly Hash[]
}

/** The way from a leaf up to the root of a tree: at each step, where the hash beside it stands. */
class WayUp {
  #place: number
  #last: number

  constructor(index: number, size: number) {
    this.#place = index
    this.#last = size - 1
  }

  get isAtRoot(): boolean {
    return this.#last === 0
  }

  /** Skips what the leaves on the left make whole. */
  skipWhole(): void {
    while (this.#place % 2 === 1) this.#up()
  }

  step(): 'left' | 'right' {
    const isLeft = this.#place % 2 === 1 || this.#place === this.#last
    if (isLeft) while (this.#place % 2 === 0 && this.#place !== 0) this.#up()
    this.#up()
    return isLeft ? 'left' : 'right'
  }

  #up(): void {
    this.#place = Math.floor(this.#place / 2)
    this.#last = Math.floor(this.#last / 2)
  }
}

/** The root that a proof of inclusion leads to; nothing where it is no proof. RFC 9162, 2.1.3.2. */
export function rootOfInclusion({ leaf, index, size, hashes }: ProvenLeaf): Hash | undefined {
  if (index < 0 || index >= size) return undefined
  const way = new WayUp(index, size)
  let root = leaf
  for (const hash of hashes) {
    if (way.isAtRoot) return undefined
    root = way.step() === 'left' ? nodeHash(hash, root) : nodeHash(root, hash)
  }
  return way.isAtRoot ? root : undefined
}

export interface ProvenGrowth {
  readonly from: { readonly size: number; readonly root: Hash }
  readonly to: { readonly size: number; readonly root: Hash }
  readonly hashes: readonly Hash[]
}

/** Whether one tree begins with another. RFC 9162, 2.1.4.2. */
export function isConsistent({ from, to, hashes }: ProvenGrowth): boolean {
  if (from.size === to.size) return hashes.length === 0 && from.root.equals(to.root)
  if (from.size > to.size) return false
  if (from.size === 0) return hashes.length === 0
  const [first, ...rest] = isPowerOfTwo(from.size) ? [from.root, ...hashes] : hashes
  if (!first) return false
  const roots = rootsOfGrowth(first, rest, new WayUp(from.size - 1, to.size))
  return roots !== undefined && roots.older.equals(from.root) && roots.newer.equals(to.root)
}

function rootsOfGrowth(first: Hash, rest: readonly Hash[], way: WayUp) {
  way.skipWhole()
  let [older, newer] = [first, first]
  for (const hash of rest) {
    if (way.isAtRoot) return undefined
    const isLeft = way.step() === 'left'
    if (isLeft) older = nodeHash(hash, older)
    newer = isLeft ? nodeHash(hash, newer) : nodeHash(newer, hash)
  }
  return way.isAtRoot ? { older, newer } : undefined
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size))
}
