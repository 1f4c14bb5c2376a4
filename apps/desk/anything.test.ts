import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atTheDesk } from './conversation.fixture.ts'

const WORDS = ['4711', '4712', '4713', '9999', 'refund', 'broken', 'where', 'hello', '[note]', '\n']
const said = fc.oneof(
  fc.string({ maxLength: 60, unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
    .map((words) => words.join(' ')),
)
const turn = fc.record({ said, answers: fc.array(fc.tuple(fc.boolean(), said), { maxLength: 3 }) })

test('whatever a visitor says and answers, each turn ends, and soon', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), async (turns) => {
      const { app, say, answer } = await atTheDesk()
      for (const each of turns) {
        let { result } = await say(each.said)
        for (const [approved, text] of each.answers) {
          const [wait] = result.waits
          if (!wait) break
          const values = Object.keys(wait.requestKeys).map((key) => [
            key,
            key === 'approved' ? approved : text,
          ])
          ;({ result } = await answer(result.run, Object.fromEntries(values)))
        }
        expect(result.reason).toMatch(/^(success|interrupt)$/)
        expect(result.usage.own.calls).toBeLessThan(9)
        if (result.reason === 'interrupt') expect(await app.cancel('case-1')).toBe(true)
        else expect(result.text).not.toBe('')
      }
    }),
    { numRuns: 60 },
  )
})
