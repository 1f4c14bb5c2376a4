import { expect, test } from 'vitest'
import { given } from '../case/given-case.fixture.ts'
import type { Act } from '../case/given-case.fixture.ts'
import { ACCEPT, CASE_IN, REFUSE, SELECT } from '../case/journey.fixture.ts'
import { offerReply } from './offer-replies.ts'

const COUNTER = CASE_IN.awaiting_counter_decision

test.each<[string, readonly Act[], readonly unknown[]]>([
  ['waits for the customer', COUNTER, [undefined]],
  ['the customer accepted', [...COUNTER, ACCEPT], ['accepted']],
  ['the customer turned down', [...COUNTER, REFUSE], ['refused']],
  ['was approved as requested', CASE_IN.selected, [undefined]],
  ['was approved and accepted', [...CASE_IN.selected, SELECT], ['accepted']],
  ['never came', CASE_IN.declined, [undefined]],
])('an offer that %s', (_, acts, replies) => {
  const { case: state } = given(...acts)
  const steps = state.waterfall?.steps ?? []
  expect(steps.slice(-1).map((step) => offerReply(state, step))).toEqual(replies)
})
