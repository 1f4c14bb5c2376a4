import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { timesInTier } from '../../../test/tier.fixture.ts'
import { StreamVerifier } from '../../wire/index.ts'
import { SessionAgui } from '../session/session-agui.ts'
import type { SessionEvent } from '../session/session-event.ts'
import { ClaudeDialect } from './dialect.ts'
import { ByteLines } from '../process/byte-lines.ts'

const PROMPT = '11111111-1111-4111-8111-111111111112'
const RUNS = timesInTier({ quick: 300, full: 10_000 })
const BACKGROUND = transcript('background-2.1.330')
const FOREGROUND = transcript('foreground-2.1.197')

function transcript(name: string): string {
  return readFileSync(new URL(`./transcripts/${name}.jsonl`, import.meta.url), 'utf8')
}

/** What a session says that prints these chunks after a prompt was written. */
function eventsOf(chunks: readonly Buffer[]): readonly SessionEvent[] {
  const dialect = new ClaudeDialect()
  dialect.prompt({ id: PROMPT, text: 'Go' })
  const bytes = new ByteLines()
  const lines = [...chunks.flatMap((chunk) => bytes.feed(chunk)), ...bytes.end()]
  return lines.flatMap((line) => dialect.take(line))
}

/** Throws where these events are no run of AG-UI. */
function verify(events: readonly SessionEvent[]): void {
  const verifier = new StreamVerifier()
  const wire = new SessionAgui()
  const run = { threadId: 't', runId: 'r' }
  verifier.take({ type: 'RUN_STARTED', ...run })
  const all = [...events.flatMap((event) => wire.take(event)), ...wire.close()]
  for (const event of all) verifier.take(event)
  verifier.take({ type: 'RUN_FINISHED', ...run })
  verifier.end()
}

test('a transcript of CLI 2.1.330 with two sub-agents in the background: one prompt, three turns, then idle', () => {
  const events = eventsOf([Buffer.from(BACKGROUND)])
  const turns = events.filter((event) => event.type === 'turn_ended')
  const runs = events.flatMap((event) => (event.type === 'task_ended' ? [event.task.run] : []))
  expect(turns.map(({ prompts }) => prompts)).toEqual([[PROMPT], [], []])
  expect(turns.map(({ taskRun }) => taskRun)).toEqual([null, ...runs])
  expect(events.findIndex(({ type }) => type === 'idle')).toBe(events.length - 1)
  expect(events.filter(({ type }) => type === 'fault')).toEqual([])
  verify(events)
})

test('a transcript of CLI 2.1.197: sub-agents in the foreground, one turn', () => {
  const events = eventsOf([Buffer.from(FOREGROUND)])
  const turns = events.filter((event) => event.type === 'turn_ended')
  expect(turns).toMatchObject([{ prompts: [PROMPT], outcome: 'success' }])
  expect(events.at(-1)).toEqual({ type: 'idle' })
  verify(events)
})

test('however the output is split, its events are the same', () => {
  const bytes = Buffer.from(BACKGROUND)
  const whole = eventsOf([bytes])
  const cuts = fc.uniqueArray(fc.nat(bytes.length), { maxLength: 50 })
  fc.assert(
    fc.property(cuts, (given) => {
      const at = [0, ...given.toSorted((a, b) => a - b), bytes.length]
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
      expect(eventsOf(chunks)).toEqual(whole)
    }),
    { numRuns: RUNS / 10 },
  )
})

test('for any order of the lines, with lines missing or repeated, its events are AG-UI', () => {
  const lines = [...BACKGROUND.split('\n'), ...FOREGROUND.split('\n')].filter((line) => line !== '')
  const some = fc.array(fc.constantFrom(...lines), { maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(some, (chosen) => {
      verify(eventsOf([Buffer.from(chosen.join('\n'))]))
    }),
    { numRuns: RUNS },
  )
})
