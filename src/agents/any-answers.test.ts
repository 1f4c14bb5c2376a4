import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pointed } from '../../test/programs/two-turns.fixture.ts'
import type { EventLog } from '../log/index.ts'
import { caller, locate } from './client.fixture.ts'
import { POINTS_MAX, crashAt, nowhere, payment } from './crashes.fixture.ts'
import type { AtPoint } from './crashes.fixture.ts'
import type { Json } from '../json/index.ts'
import type { AnswerRequest, Runs } from './index.ts'
import { expectWhole, withAgents } from './runs.fixture.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const agent = 'guide'
const CALLS = ['locate', 'pay', 'locate', 'pay', 'ask'] as const

/** An agent that waits for two tools of the client, two approvals and a question at once. */
function guide(paid: string[], at: AtPoint = nowhere) {
  const pay = payment(paid, at)
  const ask = {
    inputSchema: z.object({}),
    execute: async (
      _input: unknown,
      { ask: asking }: { readonly ask: (schema: z.ZodType, words: object) => Promise<unknown> },
    ) => JSON.stringify(await asking(z.object({ name: z.string() }), { name: 'Who?' })),
  }
  return caller(
    CALLS.map((name, at) => [name, { at }] as const),
    { tools: { pay, ask } },
  )
}

/** The open questions, in the order of the calls. */
async function waits(runs: Runs<Json>) {
  const open = (await runs.waiting('t', { agent }))?.waits ?? []
  return open.toSorted((one, other) => one.toolCallId.localeCompare(other.toolCallId))
}

/** The one answer that each call gets, by the call's place in its step. */
async function answersIn(runs: Runs<Json>) {
  return (await waits(runs)).map(({ id: interruptId, reason, toolCallId }) => {
    const resolved = { interruptId, status: 'resolved' as const }
    if (reason === 'client_tool') return { results: [{ toolCallId, content: `at ${toolCallId}` }] }
    const payload = reason === 'tool_approval' ? { approved: true } : { name: 'Ada' }
    return { answers: [{ ...resolved, payload }] }
  })
}

function joined(parts: readonly Omit<AnswerRequest, 'agent'>[]): AnswerRequest {
  return {
    agent,
    tools: [locate],
    answers: parts.flatMap(({ answers = [] }) => answers),
    results: parts.flatMap(({ results = [] }) => results),
  }
}

test('[S15] in whatever order and portions answers come, also twice, each tool runs once and the end is the same', async () => {
  const anyPortions = fc.array(fc.uniqueArray(fc.nat(4), { minLength: 1 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(anyPortions, async (portions) => {
      const [log, paid]: [EventLog, string[]] = [memoryLog(), []]
      const { runs } = withAgents([guide(paid)], { log })
      await runs.start('t', { agent, input: 'Go', tools: [locate] }).result
      const all = await answersIn(runs)
      expect(all).toHaveLength(CALLS.length)
      const ids = (await waits(runs)).map(({ id }) => id)
      const given = new Set<number>()
      for (const portion of [...portions, [0, 1, 2, 3, 4]]) {
        const request = joined(portion.flatMap((at) => all[at] ?? []))
        const isNews = portion.some((at) => !given.has(at))
        const isKnown = (await runs.turnOfAnswers('t', request)) !== undefined
        const turn = runs.answer('t', request)
        if (!isNews && !isKnown) {
          await expect(turn.result).rejects.toMatchObject({ code: 'not_waiting' })
          continue
        }
        const result = await turn.result
        expect(await runs.answer('t', request).result).toEqual(result)
        for (const at of portion) given.add(at)
        const open = await waits(runs)
        expect(open.map(({ id }) => id)).toEqual(ids.filter((_id, at) => !given.has(at)))
        if (open.length === 0 && !isKnown) {
          expect(result.text).toBe('Got at call-1, paid, at call-3, paid, {"name":"Ada"}')
        }
      }
      expect(paid.toSorted()).toEqual(['call-2', 'call-4'])
      await expectWhole(log)
    }),
    { numRuns: 60 },
  )
})

/** Lets a process answer until a point, at which it stops for ever. Returns whether it got there. */
async function answerUntil(log: EventLog, paid: string[], fatal: number) {
  const { at, died } = crashAt(fatal)
  const { runs } = withAgents([guide(paid, at)], { log: pointed({ log, at }) })
  const [place, pay] = await answersIn(runs)
  const request = joined([place ?? {}, pay ?? {}])
  const turn = runs.answer('t', request)
  return { request, end: await Promise.race([turn.result, died]) }
}

test('[M7] cut off at every labelled point of answers, each tool runs at most once and the same answers attach', async ({
  annotate,
}) => {
  let crashes = 0
  for (let point = 1; point < POINTS_MAX; point++) {
    const [log, paid]: [EventLog, string[]] = [memoryLog(), []]
    const opened = () => withAgents([guide(paid)], { log: pointed({ log, at: nowhere }) })
    const before = opened()
    await before.runs.start('t', { agent, input: 'Go', tools: [locate] }).result
    const { request, end } = await answerUntil(log, paid, point)
    if (end !== 'died') break
    crashes++
    const { runs, gate } = opened()
    await runs.recover('t')
    expect((await gate.snapshot('t')).openRuns).toEqual([])
    const found = await runs.turnOfAnswers('t', request)
    const turn = runs.answer('t', request)
    const result = await turn.result
    expect(await runs.answer('t', request).result).toEqual(result)
    if (found) expect(turn.run).toBe(found.turn)
    expect(paid.length).toBeLessThanOrEqual(1)
    if (result.reason === 'interrupt') expect(await waits(runs)).toHaveLength(3)
    else expect(result.reason).toBe('error')
    await expectWhole(log)
  }
  expect(crashes).toBeGreaterThan(5)
  expect(crashes).toBeLessThan(POINTS_MAX - 1)
  await annotate(`cut off at ${crashes} points of answers: 0 tools run twice`, 'promise')
})
