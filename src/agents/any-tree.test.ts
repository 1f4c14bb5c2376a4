import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallerEvent } from '../activity/index.ts'
import { timesInTier } from '../../test/tier.fixture.ts'
import { Builder, shapeOf } from './any-tree.fixture.ts'
import { wholeTree } from './index.ts'
import { eventsOf, expectWhole, only, withAgents } from './runs.fixture.ts'
import { recordsOf } from '../../test/memory-log.fixture.ts'

const ENDINGS: ReadonlySet<string> = new Set(['turn_end', 'turn_cancelled', 'wait_for_input'])

/** Faults in the order of cause and effect, in words. */
class Causes {
  readonly faults: string[] = []
  readonly #open = new Set<string>()
  readonly #calls = new Map<string, string>()
  /** Hand-offs keep the call of whom they take over from, which is not their caller's. */
  #handedOver = false

  take(event: CallerEvent): void {
    const { run, type, depth, path, agent } = event
    if (type === 'prompt_started' || type === 'resume_with_input') this.#start(event)
    else if (!this.#open.has(run)) this.faults.push(`${type} of ${agent}, which is not open`)
    const placed = path.length === depth + 1 && path.at(-1) === agent
    if (!placed) this.faults.push(`${agent} is at ${path.join('>')}`)
    if (type === 'tool_call') this.#calls.set(event.toolCallId, run)
    if (type === 'tool_result' || type === 'tool_error') this.#calls.delete(event.toolCallId)
    if (type === 'turn_end') this.#handedOver ||= event.handoffTo !== undefined
    if (ENDINGS.has(type)) this.#open.delete(run)
  }

  done(): readonly string[] {
    return [...this.faults, ...[...this.#open].map((run) => `${run} never ends`)]
  }

  #start({ run, parentRun, type, agent, call = '' }: CallerEvent): void {
    if (this.#open.has(run)) this.faults.push(`${agent} starts twice`)
    this.#open.add(run)
    if (parentRun === undefined) return
    if (!this.#open.has(parentRun)) this.faults.push(`${agent} starts below a run that is not open`)
    if (type === 'resume_with_input' || this.#handedOver) return
    if (this.#calls.get(call) !== parentRun) this.faults.push(`${agent} starts outside its call`)
  }
}

/** Starts come before anything of a run and ends after it; children lie within calls of their parents. */
function causalFaults(events: readonly CallerEvent[]): readonly string[] {
  const causes = new Causes()
  for (const event of events) causes.take(event)
  return causes.done()
}

/** Each event of a turn is read off one record, and none is read twice. */
function keyOf({ seq, type, ...event }: CallerEvent): string {
  return `${seq} ${type} ${'toolCallId' in event ? event.toolCallId : ''}`
}

const RUNS = timesInTier({ quick: 8, full: 1_500 })

test(
  '[C016] [C022] [M5] any tree of agents: each event once, in causal order, each run ended once, the stream AG-UI’s',
  async () => {
    await fc.assert(
      fc.asyncProperty(shapeOf(3), fc.boolean(), async (shape, agrees) => {
        const { ask, resume, runs, log } = withAgents([new Builder().build(shape)])
        let turn = ask('Go')
        for (let round = 0; ; round++) {
          const events = await eventsOf(turn)
          const result = await turn.result
          expect(causalFaults(events)).toEqual([])
          expect(new Set(events.map(keyOf)).size).toBe(events.length)
          expect(events.map(({ seq }) => seq)).toEqual(
            events.map(({ seq }) => seq).toSorted((one, other) => one - other),
          )
          expect(await wholeTree(events)).not.toEqual([])
          const told = only(events, 'completion_end').length
          expect(result.usage.total.calls).toBe(told)
          await expectWhole(log)
          if (result.reason !== 'interrupt') break
          expect(only(events, 'wait_for_input').at(-1)?.waits).toEqual(result.waits)
          if (round === 3) {
            expect(await runs.cancel('t')).toBe(true)
            break
          }
          const values = result.waits.map(({ id }) => [id, { approved: agrees }] as const)
          turn = resume(result.run, Object.fromEntries(values))
        }
        // The thread accepts the next turn after every outcome.
        const next = ask('And now?')
        await eventsOf(next)
        await next.result
        await expectWhole(log)
      }),
      { numRuns: RUNS },
    )
  },
  20_000 * RUNS,
)

test(
  '[M7] stopped at any moment, every run of any tree ends once, before its caller does',
  async () => {
    await fc.assert(
      fc.asyncProperty(shapeOf(3), fc.nat(40), async (shape, after) => {
        const { ask, runs, log } = withAgents([new Builder().build(shape)])
        const turn = ask('Go')
        let count = 0
        for await (const { type } of turn)
          if (type !== 'event' && count++ === after) void runs.cancel('t')
        await turn.result
        await expectWhole(log)
        const records = await recordsOf(log, 't')
        const endOf = new Map(
          records
            .filter(({ type }) => /^(RUN|SUBAGENT)_(FINISHED|ERROR)$/.test(type))
            .map(({ origin, seq }) => [origin.run, seq] as const),
        )
        for (const { origin } of records) {
          const { run, parentRun } = origin
          if (parentRun !== undefined)
            expect(endOf.get(run)).toBeLessThan(endOf.get(parentRun) ?? 0)
        }
      }),
      { numRuns: RUNS },
    )
  },
  20_000 * RUNS,
)
