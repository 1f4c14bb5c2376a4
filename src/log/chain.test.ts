import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { place, draftAll } from './append.ts'
import { ChainCheck, verifyChain } from './chain.ts'
import type { ChainRow } from './chain.ts'
import { events } from './contract-rule.ts'
import { GENESIS, hashOf } from './seal.ts'
import type { Sealed } from './seal.ts'

const sha256 = (text: string) => hash('sha256', text, 'hex')
const terms = { thread: 't', sha256 }
const LENGTH = 12

const ROWS = rowsOf('t')

function rowsOf(thread: string): ChainRow[] {
  const sealed: Sealed[] = []
  const head = { seq: -1, hash: GENESIS }
  const insert = (row: Sealed) => sealed.push(row) > 0
  const sources = { now: () => 0, id: () => '' }
  const drafts = draftAll(thread, events(0, LENGTH), sources)
  place(drafts, { thread, head, find: () => undefined, insert }, { sha256 })
  return sealed.map(({ body, record }) => ({ body, hash: record.hash }))
}

const row = (seq: number): ChainRow => ROWS[seq] ?? { body: '', hash: '' }
const anchorAt = (seq: number) => ({ seq, hash: row(seq).hash })
const anySeq = fc.nat({ max: LENGTH - 1 })

/** Forges every hash from a row on, as an attacker with the hash function can. */
function chained(rows: readonly ChainRow[], from: number): ChainRow[] {
  let prev = rows[from - 1]?.hash ?? GENESIS
  return rows.map(({ body, hash: given }, seq) => {
    if (seq < from) return { body, hash: given }
    const text = body.replace(/"prev":"[^"]*"}$/, `"prev":"${prev}"}`)
    prev = hashOf(prev, text, sha256)
    return { body: text, hash: prev }
  })
}

test('[L1] a clean chain verifies, with and without an anchor', () => {
  expect(verifyChain([], terms)).toEqual({ ok: true, head: -1 })
  for (const anchor of [undefined, anchorAt(0), anchorAt(LENGTH - 1)]) {
    expect(verifyChain(ROWS, { ...terms, anchor })).toEqual({ ok: true, head: LENGTH - 1 })
  }
})

test('[L1] an altered character is found at its place', () => {
  const altered = fc.tuple(anySeq, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }))
  fc.assert(
    fc.property(altered, ([seq, at, char]) => {
      const { body, hash: given } = row(seq)
      const place = at % body.length
      fc.pre(body[place] !== char)
      const edited = ROWS.with(seq, {
        body: body.slice(0, place) + char + body.slice(place + 1),
        hash: given,
      })
      expect(verifyChain(edited, terms)).toMatchObject({ ok: false, firstBadSeq: seq })
    }),
  )
})

test('[L1] a row that is cut out, doubled, swapped or moved is found', () => {
  fc.assert(
    fc.property(anySeq, fc.nat({ max: LENGTH - 2 }), (first, second) => {
      const verdict = (rows: readonly ChainRow[]) => verifyChain(rows, terms)
      if (first < LENGTH - 1) {
        const cut = verdict(ROWS.toSpliced(first, 1))
        expect(cut).toEqual({ ok: false, head: LENGTH - 2, firstBadSeq: first })
      }
      const doubled = verdict(ROWS.toSpliced(first, 0, row(first)))
      expect(doubled).toMatchObject({ ok: false, firstBadSeq: first + 1 })
      const swapped = ROWS.with(second, row(second + 1)).with(second + 1, row(second))
      expect(verdict(swapped)).toMatchObject({ ok: false, firstBadSeq: second })
    }),
  )
})

test('[L1] a row that was renumbered and hashed anew is found', () => {
  const renumbered = ROWS.map(({ body, hash: given }, seq) =>
    seq < 4
      ? { body, hash: given }
      : { body: body.replace(/^{"seq":\d+/, `{"seq":${seq + 1}`), hash: '' },
  )
  expect(verifyChain(chained(renumbered, 4), terms)).toMatchObject({ ok: false, firstBadSeq: 4 })
})

test('[L1] rows of another thread are found, however well they are chained', () => {
  expect(verifyChain(rowsOf('u'), terms)).toMatchObject({ ok: false, firstBadSeq: 0 })
})

test('[L1] a row under another id than its own is found', () => {
  const misfiled = { ...row(0), id: '00000000-0000-7000-8000-0000000000ff' }
  expect(verifyChain([misfiled], terms)).toMatchObject({ ok: false, firstBadSeq: 0 })
})

test('[L1] a cut-off tail passes for a shorter log until it is held against its anchor', () => {
  const cut = ROWS.slice(0, 7)
  expect(verifyChain(cut, terms)).toEqual({ ok: true, head: 6 })
  const anchor = anchorAt(LENGTH - 1)
  expect(verifyChain(cut, { ...terms, anchor })).toEqual({ ok: false, head: 6, firstBadSeq: 7 })
})

test('[L1] a log written anew from some row on is found by its anchor', () => {
  const { body } = row(3)
  const forged = chained(ROWS.with(3, { body: body.replace('counted', 'changed'), hash: '' }), 3)
  expect(verifyChain(forged, terms)).toMatchObject({ ok: true })
  const anchor = anchorAt(8)
  expect(verifyChain(forged, { ...terms, anchor })).toMatchObject({ ok: false, firstBadSeq: 8 })
})

test('text that is no JSON, or no object, is refused even under its own hash', () => {
  for (const body of ['{', '7', 'null', '""']) {
    const check = new ChainCheck(terms)
    expect(check.accepts({ body, hash: hashOf(GENESIS, body, sha256) })).toBe(false)
    expect(check.verdict(0)).toEqual({ ok: false, head: 0, firstBadSeq: 0 })
  }
})

test('[L1] the chain in docs/log-format.md verifies', () => {
  const page = readFileSync('docs/log-format.md', 'utf8')
  const lines = [...page.matchAll(/^(\{"seq":.*\})\n([\da-f]{64})$/gm)]
  const rows = lines.map(([, body = '', hash = '']) => ({ body, hash }))
  expect(verifyChain(rows, { thread: 'case-1', sha256 })).toEqual({ ok: true, head: 1 })
})
