import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { timesInTier } from '../../test/tier.fixture.ts'
import { defineAgent, tool } from '../agents/index.ts'
import { calling, expectWhole, replies, withAgents } from '../agents/runs.fixture.ts'
import { toAgui } from '../agui/index.ts'
import { brokenRules } from '../activity/wire-rules.fixture.ts'
import { schemaFaults } from '../activity/wire-schema.fixture.ts'
import { verified } from '../faces/agui/stock-client.fixture.ts'
import { StreamVerifier, WireError } from '../wire/index.ts'
import { anySpoiltEvent, anyWireEvent } from '../wire/wire-event.arbitrary.ts'
import { programOf } from './index.ts'

type Sent = Readonly<Record<string, unknown>>

const RUNS = timesInTier({ quick: 80, full: 5_000 })
const START = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const END = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

const events = fc.array(fc.oneof({ arbitrary: anyWireEvent, weight: 12 }, anySpoiltEvent), {
  maxLength: 60,
  size: 'max',
})
const INTERRUPT = { type: 'interrupt', interrupts: [{ id: 'i', reason: 'why', toolCallId: 'a' }] }
const stream = fc
  .tuple(events, fc.constantFrom({}, { outcome: INTERRUPT }), fc.boolean(), fc.boolean())
  .map(([sent, outcome, isSorted, isCut]) => {
    const list = isSorted ? inOrder(sent) : [START, ...sent]
    return isCut ? list : [...list, ...closing(list), { ...END, ...outcome }]
  })

const look = tool({ inputSchema: z.unknown(), execute: () => 'seen' })

test(
  '[S15] [E037] whatever a program sends, its records are AG-UI that the stock client takes',
  async () => {
    const ends = new Set<string>()
    await fc.assert(
      fc.asyncProperty(stream, stream, fc.boolean(), async (first, second, isBelow) => {
        const log = await answeredBy([first, second], { isBelow, ends })
        await expectWhole(log.log)
        const all = [...toAgui(await log.records())].map(({ event }) => event)
        expect(brokenRules(all as never)).toEqual([])
        expect(all.flatMap(schemaFaults)).toEqual([])
        await verified(all)
      }),
      { numRuns: RUNS },
    )
    // Else the streams show little.
    expect([...ends]).toEqual(expect.arrayContaining(['success', 'error', 'interrupt']))
  },
  RUNS * 1_000,
)

async function answeredBy(
  streams: readonly (readonly Sent[])[],
  { isBelow, ends }: { readonly isBelow: boolean; readonly ends: Set<string> },
) {
  let index = 0
  const program = programOf('remote', async function* ({ threadId, runId }) {
    const of = { threadId, runId }
    const isRun = ({ type }: Sent): boolean => type === 'RUN_STARTED' || type === 'RUN_FINISHED'
    for (const event of streams[index++] ?? [START, END]) {
      await Promise.resolve()
      yield isRun(event) ? { ...event, ...of } : event
    }
  })
  const remote = defineAgent({ name: 'remote', program, tools: { b: look } })
  const lead = defineAgent({
    name: 'lead',
    agents: [remote],
    model: replies(calling(['call_remote', { message: 'x' }]), 'Done'),
  })
  const setting = withAgents(isBelow ? [lead] : [remote])
  const { reason } = await setting.ask('Go').result
  ends.add(reason)
  if (reason !== 'interrupt') return setting
  const [agent] = isBelow ? ['lead'] : ['remote']
  const waits = (await setting.gate.latest('t')).pauses.waiting.flatMap((each) => each.waits)
  const answers = waits.map(({ id }) => ({ interruptId: id, status: 'cancelled' as const }))
  await setting.runs.answer('t', { agent: agent ?? '', answers }).result
  return setting
}

/** Only the events that may follow those before them. */
function inOrder(sent: readonly Sent[]): readonly Sent[] {
  const taken: Sent[] = [START]
  for (const event of sent) {
    if (String(event['type']).startsWith('RUN_')) continue
    if (isRight([...taken, event])) taken.push(event)
  }
  return taken
}

/** Ends what a stream left open, as far as that can be told. */
function closing(list: readonly Sent[]): readonly Sent[] {
  const ends: Sent[] = []
  const ids = ['a', 'b'].flatMap((id) => [
    { type: 'TEXT_MESSAGE_END', messageId: id },
    { type: 'TOOL_CALL_END', toolCallId: id },
    { type: 'REASONING_END', messageId: id },
    { type: 'REASONING_MESSAGE_END', messageId: id },
    ...[undefined, 's1', 's2'].map((subagentRunId) => ({
      type: 'STEP_FINISHED',
      stepName: id,
      ...(subagentRunId === undefined ? {} : { subagentRunId }),
    })),
  ])
  const subagents = ['s1', 's2'].map((subagentRunId) => ({
    type: 'SUBAGENT_FINISHED',
    subagentRunId,
  }))
  for (const end of [...ids, ...subagents]) if (isRight([...list, ...ends, end])) ends.push(end)
  return ends
}

function isRight(list: readonly Sent[]): boolean {
  const verifier = new StreamVerifier()
  try {
    for (const event of list) verifier.take(event)
    return true
  } catch (error) {
    if (error instanceof WireError) return false
    throw error
  }
}
