import fc from 'fast-check'
import { expect, test } from 'vitest'
import { promptFaults } from '../models/strict-provider.fixture.ts'
import { promptOf } from '../models/model-message.ts'
import { EMPTY_CONVERSATION, foldConversation } from '../activity/index.ts'
import { anyEvent, anyHistory, stored } from './any-history.fixture.ts'

const HISTORIES = 10_000

test('[M6] whatever a thread holds, the model is given a prompt that a strict provider takes', async ({
  annotate,
}) => {
  let taken = 0
  fc.assert(
    fc.property(anyHistory, (history) => {
      expect(promptFaults(promptOf('system', history))).toEqual([])
      taken++
    }),
    { numRuns: HISTORIES },
  )
  await annotate(`${taken} of ${HISTORIES} random histories taken by a strict validator`, 'promise')
})

test('however records are cut into batches, the conversation is the same', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 24 }), fc.array(fc.nat(8)), (events, cuts) => {
      const records = stored(events.flat())
      const whole = foldConversation(EMPTY_CONVERSATION, records)
      let folded = EMPTY_CONVERSATION
      let from = 0
      for (const cut of [...cuts, records.length]) {
        folded = foldConversation(folded, records.slice(from, from + cut))
        from += cut
      }
      expect(folded).toEqual(whole)
    }),
  )
})
