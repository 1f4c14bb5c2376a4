import { assert } from '../assert/index.ts'
import type { ContractCase } from './log.contract.ts'
import { range, same } from './contract-rule.ts'
import type { IndexedThread, RankedThread, ThreadIndex, ThreadQuery } from './thread-index.ts'

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
      let below: number | undefined
      for (let page = 0; ; page++) {
        const rows = await rankedIn(index, { limit: 3, below, where: { n: [1] } })
        if (rows.length === 0) break
        assert(rows.length <= 3, `A page of ${rows.length} threads`)
        seen.push(...rows.map((row) => row.thread))
        below = rows.at(-1)?.rank
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
