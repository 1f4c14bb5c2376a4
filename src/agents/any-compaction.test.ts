import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { timesInTier } from '../../test/tier.fixture.ts'
import { scriptedModel } from '../models/index.ts'
import type { ScriptedReply } from '../models/index.ts'
import { defineAgent } from './define/agent.ts'
import { calling, expectWhole, withAgents } from './runs.fixture.ts'
import { tool } from './define/tool.ts'

const CHARS_MAX = 2_000

const SUMMARIES = ['good', 'good', 'fails', 'says nothing', 'is cut', 'is too long'] as const
type SummaryKind = (typeof SUMMARIES)[number]

const summaryKind = fc.constantFrom(...SUMMARIES)
/** The lengths of the results that the tool gives in one turn. */
const turnShape = fc.array(fc.integer({ min: 1, max: 1.4 * CHARS_MAX }), { maxLength: 4 })
const shape = fc.record({
  turns: fc.array(turnShape, { minLength: 2, maxLength: 6 }),
  summaries: fc.array(summaryKind, { minLength: 1, maxLength: 12 }),
})

/** The text of a summary that counts: each has a number of its own. */
const nameOf = (count: number): string => `[summary ${count}]`

function replyOf(kind: SummaryKind, count: number): ScriptedReply {
  if (kind === 'fails') return { fail: new Error('overloaded') }
  if (kind === 'says nothing') return ' '
  if (kind === 'is cut') return { cut: nameOf(count) }
  if (kind === 'is too long') return nameOf(count) + 'x'.repeat(2 * CHARS_MAX)
  return nameOf(count)
}

const request = (turn: number): string => `Request ${turn} of Ann.`

/** What a prompt of a turn lacks, where the summary `shown` was in an earlier one. */
function faultsOf(prompt: string, { turn, shown }: { turn: number; shown: number }) {
  const lacks = (at: number): boolean => !prompt.includes(request(at))
  const isShorter = Array.from({ length: turn }, (_, at) => at).some(lacks)
  const summary = Number(/\[summary (\d+)\]/.exec(prompt)?.[1] ?? 0)
  const isNamed = /\[(?:Summed up|Left out to make room): \d/.test(prompt)
  const hasFault = lacks(0) || lacks(turn) || (isShorter && !isNamed) || summary < shown
  return { isShorter, summary, faults: hasFault ? [prompt] : [] }
}

test('[M11] whatever becomes of summaries, the first request, the open one and the newest summary are in every prompt', async ({
  annotate,
}) => {
  let prompts = 0
  let shortened = 0
  await fc.assert(
    fc.asyncProperty(shape, async ({ turns, summaries }) => {
      let [turn, step, calls, shown] = [0, 0, 0, 0]
      const faults: string[] = []
      const model = scriptedModel(({ system, messages }): ScriptedReply => {
        if (system.startsWith('Sum up')) {
          return replyOf(summaries[calls++ % summaries.length] ?? 'good', calls)
        }
        const prompt = messages.map(({ text }) => text).join('\n')
        const seen = faultsOf(prompt, { turn, shown })
        prompts++
        if (seen.isShorter) shortened++
        faults.push(...seen.faults)
        shown = Math.max(shown, seen.summary)
        const length = turns[turn]?.[step++]
        return length === undefined ? 'Done.' : calling(['look', { length }])
      })
      const look = tool({
        inputSchema: z.object({ length: z.number() }),
        execute: ({ length }) => 'y'.repeat(length),
      })
      const limits = { historyChars: CHARS_MAX, steps: 20 }
      const agent = defineAgent({ name: 'A', model, tools: { look }, limits })
      const { ask, log } = withAgents([agent])
      for (; turn < turns.length; turn++, step = 0) {
        expect(await ask(request(turn)).result).toMatchObject({ reason: 'success' })
      }
      expect(faults).toEqual([])
      await expectWhole(log)
    }),
    { numRuns: timesInTier({ quick: 60, full: 1_000 }) },
  )
  expect(shortened).toBeGreaterThan(20)
  await annotate(
    `${prompts} prompts, ${shortened} of shortened histories: 0 without the first request, the open one or what was left out`,
    'promise',
  )
})
