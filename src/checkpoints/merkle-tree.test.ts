import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { MerkleTree, isConsistent, leafHash, rootOfInclusion } from './merkle-tree.ts'
import type { Hash } from './merkle-tree.ts'

const SIZE = 70

function treeOf(size: number): MerkleTree {
  const tree = new MerkleTree()
  for (let at = 0; at < size; at++) tree.add(leafHash(`leaf ${at}`))
  return tree
}

/** As RFC 6962 defines it, from the leaves each time. */
function rootOf(leaves: readonly Hash[]): Hash {
  const sha = createHash('sha256')
  const [first] = leaves
  if (!first) return sha.digest()
  if (leaves.length === 1) return first
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const [left, right] = [rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split))]
  return sha.update(Buffer.of(1)).update(left).update(right).digest()
}

const leaves = Array.from({ length: SIZE }, (_, at) => leafHash(`leaf ${at}`))
const changed = (hashes: readonly Hash[], at: number): readonly Hash[] =>
  hashes.map((hash, place) => (place === at ? leafHash('forged') : hash))

test('the hash of no leaves and of an empty leaf are those of RFC 6962', () => {
  expect(new MerkleTree().root().toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  expect(leafHash('').toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  )
})

test('the root is that of the definition, at every size', () => {
  const tree = treeOf(SIZE)
  for (let size = 0; size <= SIZE; size++) {
    expect(tree.root(size)).toEqual(rootOf(leaves.slice(0, size)))
    expect(treeOf(size).root()).toEqual(tree.root(size))
    for (const more of [0, 1, 2, 5]) {
      const grown = treeOf(size).with(leaves.slice(size, size + more))
      const all = Math.min(SIZE, size + more)
      expect(grown).toEqual({ size: all, root: tree.root(all) })
    }
  }
})

test('each leaf is proven at every size, and no other leaf, place, size or hash is', () => {
  const tree = treeOf(SIZE)
  for (let size = 1; size <= SIZE; size++) {
    for (let index = 0; index < size; index++) {
      const proof = {
        leaf: leaves[index] as Hash,
        index,
        size,
        hashes: tree.inclusion(index, size),
      }
      const root = tree.root(size)
      expect(rootOfInclusion(proof)).toEqual(root)
      const forged = [
        { ...proof, leaf: leafHash('forged') },
        { ...proof, hashes: [...proof.hashes, leafHash('more')] },
        ...(size > 1 ? [{ ...proof, hashes: proof.hashes.slice(1) }] : []),
        ...proof.hashes.map((_, at) => ({ ...proof, hashes: changed(proof.hashes, at) })),
        ...(index + 1 < size ? [{ ...proof, index: index + 1 }] : []),
      ]
      for (const each of forged) expect(rootOfInclusion(each)).not.toEqual(root)
    }
  }
})

test('[L12] each size is proven to begin each greater one, and a forged proof or root is none', () => {
  const tree = treeOf(SIZE)
  for (let to = 0; to <= SIZE; to++) {
    for (let from = 0; from <= to; from++) {
      const proof = {
        from: { size: from, root: tree.root(from) },
        to: { size: to, root: tree.root(to) },
        hashes: tree.consistency(from, to),
      }
      expect(isConsistent(proof)).toBe(true)
      if (from === 0) continue
      const other = { ...proof.from, root: leafHash('forged') }
      const forged = [
        { ...proof, from: other },
        { ...proof, to: { ...proof.to, root: leafHash('forged') } },
        { ...proof, hashes: [...proof.hashes, leafHash('more')] },
        ...proof.hashes.map((_, at) => ({ ...proof, hashes: changed(proof.hashes, at) })),
      ]
      for (const each of forged) expect(isConsistent(each)).toBe(false)
    }
  }
})
