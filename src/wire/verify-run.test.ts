import { enforceEvents, transformChunks, verifyEvents } from '@ag-ui/client'
import fc from 'fast-check'
import { from, lastValueFrom, toArray } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { OPEN_ITEMS_MAX, StreamVerifier, WireError, verifyRun } from './index.ts'
import { anySpoiltEvent, anyWireEvent } from './wire-event.arbitrary.ts'

type Sent = Readonly<Record<string, unknown>> & { readonly type: string }

const STARTED = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const FINISHED = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

/** Returns the events that the stock client passes on, or undefined when it refuses them. */
async function byStockClient(events: readonly Sent[]): Promise<unknown> {
  try {
    // The stock client's types are of events that it has checked already.
    const source = from(events as never[])
    return await lastValueFrom(
      source.pipe(enforceEvents(), transformChunks(), verifyEvents(), toArray()),
    )
  } catch {
    return undefined
  }
}

function byOurs(events: readonly Sent[]): unknown {
  const verifier = new StreamVerifier()
  try {
    return events.flatMap((event) => verifier.take(event))
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Offers candidates one by one after those that both accept, and compares the verdicts. */
async function compare(candidates: readonly Sent[]): Promise<void> {
  const accepted: Sent[] = [STARTED]
  for (const candidate of candidates) {
    const events = [...accepted, candidate]
    // Both check the events of chunks alike, but a stock chunk has no time of its own.
    const [stock, ours] = [await byStockClient(events), byOurs(events)]
    expect(ours, JSON.stringify(events)).toEqual(stock)
    if (stock !== undefined) accepted.push(candidate)
  }
}

test('[E005] [E012] [E018] [E020] [E037] [E039] any stream gets the verdict of the stock client, and the same events', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  await fc.assert(
    fc.asyncProperty(fc.array(anyWireEvent, { maxLength: 40, size: 'max' }), (events) =>
      compare(events),
    ),
    { numRuns: timesInTier({ quick: 80, full: 3_000 }) },
  )
})

test('malformed members are refused and unknown ones removed as by the stock client', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  await fc.assert(
    fc.asyncProperty(fc.array(anySpoiltEvent, { maxLength: 12, size: 'max' }), (events) =>
      compare(events),
    ),
    { numRuns: timesInTier({ quick: 80, full: 3_000 }) },
  )
})

async function verified(events: readonly unknown[], options = {}): Promise<string[]> {
  const types: string[] = []
  for await (const { type } of verifyRun(events, options)) types.push(type)
  return types
}

test('[E006] a stream that stops before its run ended is truncated', async () => {
  await expect(verified([STARTED, FINISHED])).resolves.toEqual(['RUN_STARTED', 'RUN_FINISHED'])
  const text = { type: 'TEXT_MESSAGE_START', messageId: 'm' }
  for (const events of [[], [STARTED], [STARTED, text]]) {
    await expect(verified(events)).rejects.toMatchObject({ code: 'truncated' })
  }
})

test('[E007] start and end name one run, and the stream ends with the run that was asked for', async () => {
  const other = { ...FINISHED, runId: 'other' }
  await expect(verified([STARTED, other])).rejects.toMatchObject({ code: 'other_run' })
  const moved = { ...STARTED, threadId: 'elsewhere' }
  await expect(verified([STARTED, FINISHED, moved])).rejects.toMatchObject({ code: 'other_run' })
  const asked = { threadId: 't', runId: 'r' }
  await expect(verified([STARTED, FINISHED], asked)).resolves.toHaveLength(2)
  await expect(verified([moved], asked)).rejects.toMatchObject({ code: 'other_run' })
  await expect(verified([STARTED, FINISHED], { runId: 'x' })).rejects.toMatchObject({
    code: 'other_run',
  })
})

test('two interrupts of one run need two ids', async () => {
  const interrupt = { id: 'i', reason: 'tool_call' }
  const outcome = { type: 'interrupt', interrupts: [interrupt, interrupt] }
  await expect(verified([STARTED, { ...FINISHED, outcome }])).rejects.toMatchObject({
    code: 'out_of_order',
  })
})

test('the removed parts are reported: events of unknown types and unknown members', async () => {
  const removed: unknown[] = []
  const events = [{ ...STARTED, extra: 1 }, { type: 'NEW_THING' }, FINISHED]
  const types = await verified(events, { onRemoved: (each: unknown) => removed.push(each) })
  expect(types).toEqual(['RUN_STARTED', 'RUN_FINISHED'])
  expect(removed).toEqual([
    { type: 'RUN_STARTED', members: ['/extra'] },
    { type: 'NEW_THING', members: ['/type'] },
  ])
})

test('a malformed event is refused by the name of its member, one without a type too', async () => {
  await expect(verified([{ ...STARTED, threadId: 7 }])).rejects.toMatchObject({
    code: 'malformed',
    message: expect.stringContaining('"threadId"') as string,
  })
  await expect(verified(['text'])).rejects.toMatchObject({ code: 'malformed' })
})

test('open items have a maximum', () => {
  const verifier = new StreamVerifier()
  verifier.take(STARTED)
  const open = (at: number) => verifier.take({ type: 'TEXT_MESSAGE_START', messageId: `m${at}` })
  for (let at = 0; at < OPEN_ITEMS_MAX; at++) open(at)
  expect(() => open(OPEN_ITEMS_MAX)).toThrow(expect.objectContaining({ code: 'too_many' }))
})
