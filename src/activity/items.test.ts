import { EventType } from '@ag-ui/core'
import { expect, test } from 'vitest'
import { ITEM_ROLES, itemEventOf } from './items.ts'

const OF_AN_ITEM = /^(?!RUN_).*_(?:START|STARTED|CONTENT|ARGS|END|FINISHED|ERROR)$/

test('every type of AG-UI that starts, continues or ends something has its place in the table', () => {
  const types = Object.values(EventType).filter((type) => OF_AN_ITEM.test(type))
  expect([...ITEM_ROLES.keys()].toSorted()).toEqual(types.toSorted())
})

test('steps of one name are different items of different agents', () => {
  const keys = [{}, { subagentRunId: 's' }, { subagentRunId: '' }].map(
    (of) => itemEventOf('STEP_STARTED', { stepName: 'plan', ...of })?.key,
  )
  expect(new Set(keys).size).toBe(3)
})
