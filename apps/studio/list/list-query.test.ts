import { expect, test } from 'vitest'
import { readListQuery, whereOf, withFilter, withoutFilter, writeListQuery } from './list-query.ts'

test('an address keeps the application, the filters and the text of a list', () => {
  const query = {
    app: 'claims',
    filters: [
      { name: 'status', value: 'open' },
      { name: 'at', value: '10:30 & later' },
    ],
    text: 'a boiler',
  }
  expect(readListQuery(writeListQuery(query))).toEqual(query)
  expect(writeListQuery(readListQuery(''))).toBe('')
  expect(readListQuery('?where=:x&where=none').filters).toEqual([])
})

test('a filter is added once and removed again, and several of one name are alternatives', () => {
  const none = readListQuery('')
  const open = { name: 'status', value: 'open' }
  const one = withFilter(withFilter(none, open), { ...open })
  expect(one.filters).toEqual([open])
  const both = withFilter(one, { name: 'status', value: 'new' })
  expect(whereOf(both)).toEqual({ status: ['open', 'new'] })
  expect(withoutFilter(both, open).filters).toEqual([{ name: 'status', value: 'new' }])
})
