import { assert } from '../assert/index.ts'
import type { ContractCase } from './log.contract.ts'
import { range, same } from './contract-rule.ts'
import { INDEX_TEXT_CHARS_MAX, indexKey } from './index-key.ts'
import type { IndexValue, ValueRange } from './index-key.ts'
import type {
  IndexedThread,
  RankedThread,
  ThreadIndex,
  ThreadOrder,
  ThreadPlace,
  ThreadQuery,
} from './thread-index.ts'

interface IndexRule {
  readonly name: string
  readonly check: (index: ThreadIndex) => Promise<void>
}

const RULES: readonly IndexRule[] = [
  {
    name: 'an index without a generation returns no state and no threads, and refuses a put',
    async check(index) {
      same(await index.load(), undefined, 'its state')
      same(await index.list('g', { limit: 10 }), undefined, 'its threads')
      same(await index.put({ generation: 'g', position: '1' }, []), false, 'a put')
      same(await index.load(), undefined, 'its state after a put')
    },
  },
  {
    name: 'an index keeps its position with its threads, and lists the thread that moved last first',
    async check(index) {
      await index.begin('g')
      same(await index.load(), { generation: 'g', position: '' }, 'the state at the beginning')
      same(await listed(index), [], 'the threads at the beginning')
      await put(index, '1', [thread('a'), thread('b')])
      await put(index, '2', [thread('c')])
      same(await index.load(), { generation: 'g', position: '2' }, 'the state')
      same(await listed(index), ['c', 'b', 'a'], 'the threads')
    },
  },
  {
    name: 'an index gives back each thread as it was put',
    async check(index) {
      await index.begin('g')
      const values = { word: '"é\u0000', none: null, no: false, number: -1.5 }
      const rows = [
        { thread: 'whole', app: 'one', head: 7, ts: 1_000, values },
        { thread: 'bare', head: 0 },
        { thread: 'empty', app: 'one', head: 0, values: {} },
      ]
      await put(index, '1', rows)
      const held = (await rankedIn(index, { limit: 10 })).map(({ rank: _, ...row }) => row)
      same(held.toReversed().map(sorted), rows.map(sorted), 'the threads')
    },
  },
  {
    name: 'a thread that is put again moves to the front, and is found by its new values only',
    async check(index) {
      await index.begin('g')
      await put(index, '1', [thread('a', { status: 'open' }), thread('b', { status: 'open' })])
      await put(index, '2', [thread('a', { status: 'closed' })])
      same(await listed(index), ['a', 'b'], 'the threads')
      same(await listed(index, { where: { status: ['open'] } }), ['b'], 'those that are open')
      same(await listed(index, { where: { status: ['closed'] } }), ['a'], 'those that are closed')
      await put(index, '3', [thread('a')])
      same(await listed(index, { where: { status: ['closed'] } }), [], 'values that are gone')
    },
  },
  {
    name: 'pages lose no thread that stays where it is while others move',
    async check(index) {
      await index.begin('g')
      await put(
        index,
        '1',
        range(0, 10).map((n) => thread(`t${n}`, { n: 1 })),
      )
      const seen: string[] = []
      let after: ThreadPlace | undefined
      for (let page = 0; ; page++) {
        const rows = await rankedIn(index, { limit: 3, after, where: { n: [1] } })
        if (rows.length === 0) break
        assert(rows.length <= 3, `A page of ${rows.length} threads`)
        seen.push(...rows.map((row) => row.thread))
        after = { rank: rows.at(-1)?.rank ?? 0, key: '' }
        await put(index, `2.${page}`, [thread(`t${page * 4}`, { n: 1 })])
      }
      const stayed = ['t9', 't8', 't7', 't6', 't5', 't4', 't3', 't2', 't1']
      same(seen, stayed, 'threads of all pages')
      same((await listed(index)).slice(0, 3), ['t8', 't4', 't0'], 'threads in front in the end')
    },
  },
  {
    name: 'threads are found by their application, and by values of the same type',
    async check(index) {
      await index.begin('g')
      const values = [1, '1', true, 'true', null, 'null', 0, '', false]
      await put(index, '1', [
        ...values.map((value, at) => ({ ...thread(`t${at}`, { value }), app: 'one' })),
        { ...thread('other', { value: 1 }), app: 'two' },
        { ...thread('bare'), app: 'two' },
      ])
      for (const [at, value] of values.entries()) {
        const found = await listed(index, { app: 'one', where: { value: [value] } })
        same(found, [`t${at}`], `the value ${JSON.stringify(value)}`)
      }
      const any = { where: { value: [1, '1'] } }
      same(await listed(index, any), ['other', 't1', 't0'], 'any of two values')
      same(await listed(index, { app: 'two' }), ['bare', 'other'], 'an application')
      same(await listed(index, { app: 'three' }), [], 'an application without threads')
      same(await listed(index, { where: { value: [] } }), [], 'none of no values')
    },
  },
  {
    name: 'a thread is found when it has a value for every name',
    async check(index) {
      await index.begin('g')
      const [both, one] = [{ status: 'open', owner: 'ann' }, { status: 'open' }]
      await put(index, '1', [thread('a', both), thread('b', one), thread('c', both)])
      const where = { status: ['open'], owner: ['ann'] }
      same(await listed(index, { where }), ['c', 'a'], 'both names')
      same(await listed(index, { where, limit: 1 }), ['c'], 'the first of them')
      const swapped = { owner: ['open'], status: ['ann'] }
      same(await listed(index, { where: swapped }), [], 'values under other names')
    },
  },
  {
    name: 'a range finds the values of its type between its bounds',
    async check(index) {
      await index.begin('g')
      await put(index, '1', valued([...NUMBERS, ...TEXTS, null, true, false]))
      for (const all of [NUMBERS, TEXTS]) {
        for (const [at, bound] of all.entries()) {
          const found = async (range: ValueRange) =>
            (await valuesIn(index, { where: { value: range } })).toReversed()
          same(await found({ gte: bound }), all.slice(at), `values from ${bound}`)
          same(await found({ gt: bound }), all.slice(at + 1), `values above ${bound}`)
          same(await found({ lte: bound }), all.slice(0, at + 1), `values up to ${bound}`)
          same(await found({ lt: bound }), all.slice(0, at), `values below ${bound}`)
          same(await found({ gte: bound, lte: bound }), [bound], `values of ${bound} alone`)
          same(await found({ gt: bound, lt: bound }), [], `values above and below ${bound}`)
        }
      }
      const other = { where: { value: { gte: 0 }, other: { gte: 0 } } }
      same(await valuesIn(index, other), [], 'values of a name that no thread has')
    },
  },
  {
    name: 'a list is ordered by a value: null, false, true, numbers, texts, and of equal ones by rank',
    async check(index) {
      await index.begin('g')
      const all = [null, false, true, ...NUMBERS, ...TEXTS]
      await put(index, '1', [...valued(all.toReversed()), thread('bare')])
      const asc = { orderBy: { name: 'value', direction: 'asc' } } as const
      same(await valuesIn(index, asc), all, 'rising values')
      const desc = { orderBy: { name: 'value', direction: 'desc' } } as const
      same(await valuesIn(index, desc), all.toReversed(), 'falling values')
      same(await valuesIn(index, { ...desc, where: { value: { lte: 0 } } }), NEGATIVE, 'a range')
      await put(index, '2', [thread('a', { value: 0 }), thread('b', { value: 0, open: true })])
      const zero = { where: { value: [0] } }
      same((await listed(index, { ...zero, ...asc })).slice(1), ['a', 'b'], 'equal, rising')
      same((await listed(index, { ...zero, ...desc })).slice(0, 2), ['b', 'a'], 'equal, falling')
      const open = { where: { open: [true], value: { gte: -1 } } }
      same(await listed(index, { ...open, ...desc }), ['b'], 'ordered by one of two names')
      same(await listed(index, { ...asc, app: 'other' }), [], 'ordered, of another application')
    },
  },
  {
    name: 'pages of an ordered list lose and repeat no thread, whatever is equal',
    async check(index) {
      await index.begin('g')
      const rows = range(0, 25).map((n) => thread(`t${n}`, { n: n % 3, all: 1 }))
      await put(index, '1', rows)
      for (const name of ['n', 'all']) {
        for (const direction of ['asc', 'desc'] as const) {
          const orderBy = { name, direction }
          const seen = await pagesOf(index, orderBy)
          same(seen, await listed(index, { orderBy }), `pages by ${name} ${direction}`)
          same(new Set(seen).size, 25, 'threads of all pages')
        }
      }
    },
  },
  {
    name: 'an index counts the threads that a list would hold',
    async check(index) {
      same(await index.count('g', {}), undefined, 'a count without a generation')
      await index.begin('g')
      same(await index.count('g', {}), 0, 'the threads at the beginning')
      await put(index, '1', [...valued([1, 2, 3, '2']), { ...thread('b'), app: 'two' }])
      same(await index.count('g', {}), 5, 'all threads')
      same(await index.count('g', { app: 'two' }), 1, 'those of an application')
      same(await index.count('g', { where: { value: [1, 3] } }), 2, 'those with one of two values')
      same(await index.count('g', { where: { value: { gt: 1 } } }), 2, 'those in a range')
      same(await index.count('g', { where: { value: [] } }), 0, 'those with none of no values')
      same(await index.count('h', {}), undefined, 'a count of another generation')
    },
  },
  {
    name: 'a generation that begins removes the one before it, and nothing enters that one any more',
    async check(index) {
      await index.begin('g')
      await put(index, '1', [thread('a', { n: 1 })])
      await index.begin('h')
      same(await index.load(), { generation: 'h', position: '' }, 'the state')
      same(await index.list('g', { limit: 10 }), undefined, 'threads of the old generation')
      same(await index.list('h', { limit: 10, where: { n: [1] } }), [], 'threads of the new one')
      same(await index.put({ generation: 'g', position: '2' }, [thread('b')]), false, 'a late put')
      same(await index.load(), { generation: 'h', position: '' }, 'the state after the late put')
      same(await index.list('h', { limit: 10 }), [], 'the threads after the late put')
    },
  },
]

/** Rising. */
const NEGATIVE = [0, -Number.MIN_VALUE, -0.5, -1, -10, -9_007_199_254_740_991, -Number.MAX_VALUE]
const NUMBERS: readonly number[] = [
  ...NEGATIVE.toReversed(),
  Number.MIN_VALUE,
  1e-7,
  0.1,
  1,
  2,
  10,
  9_007_199_254_740_991,
  Number.MAX_VALUE,
]
const TEXTS: readonly string[] = [
  '',
  '\u0000',
  '"',
  '10',
  '9',
  'A',
  'Z',
  'a',
  'a\u0000',
  'aa',
  'b',
  'é',
  '\u{1F600}',
  '\uD83D\uDE01',
  '\uFFFD',
  '\uFFFF'.repeat(INDEX_TEXT_CHARS_MAX),
]

/**
 * The contract of every thread index, as data for any test runner: `run` rejects where the index breaks a
 * rule. Each case opens an index of its own, which must hold nothing.
 *
 * @example
 * for (const { name, run } of threadIndexContract(() => new MyIndex())) test(name, run)
 */
export function threadIndexContract(
  open: () => ThreadIndex | Promise<ThreadIndex>,
): readonly ContractCase[] {
  return RULES.map(({ name, check }) => ({ name, run: async () => check(await open()) }))
}

function thread(name: string, values?: IndexedThread['values']): IndexedThread {
  return { thread: name, app: 'one', head: 0, ts: 1_000, ...(values && { values }) }
}

/** A thread for each value. */
function valued(values: readonly IndexValue[]): readonly IndexedThread[] {
  return values.map((value, at) => thread(`t${at}`, { value }))
}

async function pagesOf(index: ThreadIndex, orderBy: ThreadOrder): Promise<readonly string[]> {
  const seen: string[] = []
  let after: ThreadPlace | undefined
  for (;;) {
    const found = await rankedIn(index, { orderBy, after, limit: 4 })
    const last = found.at(-1)
    if (!last || seen.length > 100) return seen
    seen.push(...found.map((row) => row.thread))
    after = { rank: last.rank, key: indexKey(last.values?.[orderBy.name] ?? null) }
  }
}

async function valuesIn(index: ThreadIndex, query: Partial<ThreadQuery>): Promise<unknown[]> {
  return (await rankedIn(index, { limit: 100, ...query })).map((row) => row.values?.['value'])
}

async function put(
  index: ThreadIndex,
  position: string,
  threads: readonly IndexedThread[],
): Promise<void> {
  assert(await index.put({ generation: 'g', position }, threads), `The put of ${position} is lost`)
}

async function rankedIn(index: ThreadIndex, query: ThreadQuery): Promise<readonly RankedThread[]> {
  const rows = await index.list('g', query)
  assert(rows, 'The generation is lost')
  return rows
}

async function listed(index: ThreadIndex, query: Partial<ThreadQuery> = {}): Promise<string[]> {
  return (await rankedIn(index, { limit: 100, ...query })).map((row) => row.thread)
}

/** Members may come in any order. */
function sorted({ values, ...rest }: IndexedThread): unknown {
  return [Object.entries(rest).toSorted(byName), values && Object.entries(values).toSorted(byName)]
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
