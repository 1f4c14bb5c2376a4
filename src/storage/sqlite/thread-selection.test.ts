import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { ThreadQuery } from '../../log/index.ts'
import { freshPath } from '../sqlite-folder.fixture.ts'
import { ThreadIndexFile } from './thread-index.ts'
import { countOf, selectionOf } from './thread-selection.ts'

const FACTS = 'SEARCH lead USING PRIMARY KEY (name=?'

test.each([
  [{ where: { amount: { gte: 5, lt: 9 } } }, `${FACTS} AND value>? AND value<?)`],
  [{ orderBy: { name: 'amount', direction: 'desc' } }, `${FACTS})`],
  [
    { orderBy: { name: 'amount', direction: 'asc' }, where: { amount: { gt: 5 } } },
    `${FACTS} AND value>? AND value<?)`,
  ],
  [
    { orderBy: { name: 'amount', direction: 'asc' }, after: { rank: 1, key: '3' } },
    `${FACTS} AND (value,rank)>(?,?))`,
  ],
] satisfies [Partial<ThreadQuery>, string][])(
  'the query %j reads the index of facts',
  async (query, search) => {
    const path = freshPath()
    new ThreadIndexFile(path).close()
    const database = new DatabaseSync(path)
    const plan = ({ sql, given }: ReturnType<typeof selectionOf>) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...given)
        .map(({ detail }) => detail)
    const steps = plan(selectionOf({ limit: 10, ...query }))
    expect(steps).toContain(search)
    if ('orderBy' in query) expect(steps).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    if ('where' in query)
      expect(plan(countOf(query))).toContain(`${FACTS} AND value>? AND value<?)`)
    database.close()
  },
)

test('a further name is looked up by the thread, not by its range', () => {
  const path = freshPath()
  new ThreadIndexFile(path).close()
  const database = new DatabaseSync(path)
  const where = { status: ['open'], amount: { lt: 0 } }
  const { sql, given } = countOf({ where })
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...given)
  expect(steps.map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining('facts_of_thread (rank=? AND name=? AND value>? AND value<?)'),
  )
  database.close()
})
