import { range, same } from './contract-rule.ts'
import type { ContractCase } from './log.contract.ts'
import { shelfNamed, shelvesNamed } from './shelves.ts'
import type { ShelfEntry, ShelfListing, Shelves } from './shelves.ts'

interface ShelfRule {
  readonly name: string
  readonly check: (shelves: Shelves) => Promise<void>
}

const TEXTS = ['', 'é\u{1F600}', `"'; --`, 'a%b_c\\', '\n\r\t', 'x'.repeat(200_000)]

const RULES: readonly ShelfRule[] = [
  {
    name: 'an entry is read as it was put, under its own key and shelf only',
    async check(shelves) {
      same(await shelves.get({ shelf: 'a', key: 'b' }), undefined, 'an entry of empty shelves')
      const entries = TEXTS.map((value, rank) => entry({ key: value.slice(0, 100), rank, value }))
      await shelves.change({ put: entries })
      for (const each of entries) same(await shelves.get(each), each, 'an entry')
      same(await shelves.get({ shelf: 'a', key: 'none' }), undefined, 'another key')
      same(await shelves.get({ shelf: 'b', key: '' }), undefined, 'another shelf')
      const whole = entry({ key: '', sort: 's', rank: Number.MAX_SAFE_INTEGER, value: 'new' })
      await shelves.change({ put: [whole] })
      same(await shelves.get(whole), whole, 'an entry that was replaced')
    },
  },
  {
    name: 'a change removes before it puts, and leaves other keys and shelves alone',
    async check(shelves) {
      const names = [shelfNamed('a'), shelfNamed('a', 'b'), shelfNamed('a', 'bb'), shelfNamed('aa')]
      const put = names.flatMap((shelf) => ['k', 'l'].map((key) => entry({ shelf, key })))
      const keys = async () => {
        const held = await Promise.all(names.map((shelf) => keysOf(shelves, shelf, {})))
        return held.map((each) => each.toSorted().join(''))
      }
      await shelves.change({ put })
      await shelves.change({ remove: [{ shelf: shelfNamed('a', 'b'), key: 'k' }] })
      same(await keys(), ['kl', 'l', 'kl', 'kl'], 'without one entry')
      await shelves.change({ remove: [{ shelf: shelvesNamed('a'), key: 'l' }] })
      same(await keys(), ['k', '', 'k', 'kl'], 'without one key')
      await shelves.change({ remove: [{ shelf: shelvesNamed('a') }], put: put.slice(0, 1) })
      same(await keys(), ['k', '', '', 'kl'], 'removed, and put again')
      await shelves.change({ remove: [{ shelf: 'none' }, { shelf: 'none', key: 'k' }] })
      same(await keys(), ['k', '', '', 'kl'], 'after a change of nothing')
    },
  },
  {
    name: 'entries are listed by sort and then by rank, or by rank alone, in either direction',
    async check(shelves) {
      await shelves.change({ put: PLACED })
      const listed = (listing: Partial<ShelfListing>) => keysOf(shelves, 'a', listing)
      const bySort = ['x1', 'x2', 'y0', 'y3']
      same(await listed({ order: 'sort' }), bySort, 'rising sorts')
      same(await listed({ order: 'sort', direction: 'desc' }), bySort.toReversed(), 'falling sorts')
      same(await listed({}), ['y0', 'x1', 'x2', 'y3'], 'rising ranks')
      same(await listed({ direction: 'desc', limit: 2 }), ['y3', 'x2'], 'two of falling ranks')
      same(await listed({ limit: 0 }), [], 'no entries')
      for (const order of ['sort', 'rank'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const whole = await listed({ order, direction })
          same(await pagesOf(shelves, { order, direction }), whole, `pages ${order} ${direction}`)
        }
      }
    },
  },
  {
    name: 'entries are found by the shelves that they are on with one rank, and by the sorts there',
    async check(shelves) {
      await shelves.change({ put: PLACED })
      const by = { shelf: 'a', sorts: ['x'] }
      same(await keysOf(shelves, 'a', { by }), ['x1', 'x2'], 'one sort')
      const both = { shelf: 'a', sorts: ['y', 'x'] }
      same(await keysOf(shelves, 'a', { by: both }), ['y0', 'x1', 'x2', 'y3'], 'two sorts')
      same(await keysOf(shelves, 'a', { by: { shelf: 'a', sorts: [] } }), [], 'no sort')
      const from = { shelf: 'a', bounds: [{ operator: '>', key: 'x' }] } as const
      same(await keysOf(shelves, 'a', { by: from }), ['y0', 'y3'], 'above a bound')
      const on = [{ shelf: 'a', bounds: [{ operator: '<=', key: 'x' }] }] as const
      const other = { shelf: 'b' }
      const bySort = { by: other, order: 'sort' } as const
      same(await keysOf(shelves, 'a', bySort), ['y3', 'x2', 'x1'], 'in the order of another shelf')
      same(await keysOf(shelves, 'a', { ...bySort, on }), ['x2', 'x1'], 'on two shelves')
      const moved = [{ ...entry({ shelf: 'b', key: 'x1', sort: '2' }), rank: 7 }]
      await shelves.change({ put: moved })
      same(await keysOf(shelves, 'a', { ...bySort, on }), ['x2'], 'without one of another rank')
      const sameAsB = { by: { shelf: 'a' }, on: [other] }
      same(await keysOf(shelves, 'a', sameAsB), ['x2', 'y3'], 'with one rank on both')
      same(await keysOf(shelves, 'a', { by: other, on: [{ shelf: 'c' }] }), [], 'on none')
      same(await shelves.count({ by: { shelf: 'a' } }), 4, 'a count of a shelf')
      same(await shelves.count({ by: other, on }), 1, 'a count on two shelves')
      same(await shelves.count({ by: { shelf: 'c' } }), 0, 'a count of nothing')
    },
  },
  {
    name: 'an update that decides for no change changes nothing',
    async check(shelves) {
      await shelves.change({ put: [entry({ value: 'one' })] })
      const seen: unknown[] = []
      const isDone = await shelves.update(entry({}), (held) => {
        seen.push(held?.value)
        return undefined
      })
      same([isDone, seen], [false, ['one']], 'the update')
      same((await shelves.get(entry({})))?.value, 'one', 'the entry')
    },
  },
  {
    name: 'of updates of one entry at once each finds what the one before it has put',
    async check(shelves) {
      const count = (held: ShelfEntry | undefined) => ({
        put: [entry({ rank: (held?.rank ?? 0) + 1 }), entry({ shelf: 'b', key: `${held?.rank}` })],
      })
      const updates = range(0, 20).map(() => shelves.update(entry({}), count))
      same(new Set(await Promise.all(updates)).size, 1, 'answers')
      same((await shelves.get(entry({})))?.rank, 20, 'the count')
      same(await shelves.count({ by: { shelf: 'b' } }), 20, 'entries of the updates')
    },
  },
]

const ASCENDING = { order: 'rank', direction: 'asc' } as const

/** On the shelf `a`; those of rank 1 and above are on `b` too, with sorts that fall. */
const PLACED: readonly ShelfEntry[] = ['y', 'x', 'x', 'y'].flatMap((sort, rank) => {
  const key = `${sort}${rank}`
  const own = entry({ key, sort, rank })
  return rank === 0 ? [own] : [own, entry({ shelf: 'b', key, sort: `${3 - rank}`, rank })]
})

/**
 * The contract of all shelves, as data for any test runner: `run` rejects where the shelves break a rule. Each
 * case opens shelves of its own, which must hold nothing, and closes them.
 *
 * @example
 * for (const { name, run } of shelvesContract(() => new MyShelves())) test(name, run)
 */
export function shelvesContract(open: () => Shelves | Promise<Shelves>): readonly ContractCase[] {
  return RULES.map(({ name, check }) => ({
    name,
    run: async () => {
      const shelves = await open()
      try {
        await check(shelves)
      } finally {
        await shelves.close()
      }
    },
  }))
}

function entry(parts: Partial<ShelfEntry>): ShelfEntry {
  return { shelf: 'a', key: 'k', sort: '', rank: 0, value: '', ...parts }
}

async function keysOf(
  shelves: Shelves,
  shelf: string,
  listing: Partial<ShelfListing>,
): Promise<readonly string[]> {
  const entries = await shelves.list(shelf, { by: { shelf }, ...ASCENDING, ...listing })
  return entries.map(({ key }) => key)
}

async function pagesOf(
  shelves: Shelves,
  listing: Partial<ShelfListing>,
): Promise<readonly string[]> {
  const seen: string[] = []
  let after: ShelfListing['after']
  for (;;) {
    const whole = { by: { shelf: 'a' }, ...ASCENDING, ...listing }
    const [next] = await shelves.list('a', { ...whole, after, limit: 1 })
    if (!next || seen.length > PLACED.length) return seen
    seen.push(next.key)
    after = next
  }
}
