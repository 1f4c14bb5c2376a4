import { HttpAgent, defaultApplyEvents } from '@ag-ui/client'
import type { AGUIEvent, BaseEvent, Message } from '@ag-ui/core'
import fc from 'fast-check'
import { from, lastValueFrom, toArray } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { StreamVerifier, WireError } from '../wire/index.ts'
import { anyWireEvent } from '../wire/wire-event.arbitrary.ts'
import { ThreadFold } from './index.ts'

type Sent = Readonly<Record<string, unknown>> & { readonly type: string }

const STARTED = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }

const path = fc.constantFrom('', '/a', '/a/0', '/a/-', '/b', '/b/c', '/b/d')
const value = fc.constantFrom<unknown>(1, null, 'x', [1, 2], { c: 1 })
const operation = fc.oneof(
  fc.record({ op: fc.constant('test'), path, value }),
  // The stock client passes over members that are added to a number or a text.
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path,
    value: value.filter((each) => typeof each === 'object'),
  }),
  fc.record({ op: fc.constant('remove'), path: path.filter((each) => each !== '') }),
  fc
    .record({ op: fc.constantFrom('move', 'copy'), from: path, path })
    // The stock client moves a value into itself, which makes a circle, and nothing to the root.
    .filter(({ from: source, path: to }) => to !== '' && !to.startsWith(`${source}/`)),
)

/** Patches and activities that meet each other more often than among all events. */
const anyPatch: fc.Arbitrary<Sent> = fc.oneof(
  fc.record({
    type: fc.constant('STATE_SNAPSHOT'),
    snapshot: fc.constantFrom<unknown>({}, { a: [1], b: { c: 2 } }, null, [1]),
  }),
  fc.record({ type: fc.constant('STATE_DELTA'), delta: fc.array(operation, { maxLength: 3 }) }),
  fc.record({
    type: fc.constant('ACTIVITY_DELTA'),
    messageId: fc.constantFrom('a', 'b'),
    activityType: fc.constantFrom('t', 'u'),
    patch: fc.array(
      operation.filter(({ op, path: to }) => to !== '' && (op !== 'move' || to !== '/a')),
      { maxLength: 3 },
    ),
    metadata: fc.constantFrom({}, { note: 2 }),
  }),
)

/** The events of a stream that the verifier accepts, each message under an id of its own. */
function accepted(sent: readonly Sent[]): readonly AGUIEvent[] {
  const verifier = new StreamVerifier()
  let results = 0
  return [STARTED, ...sent]
    .map(withOwnCallIds)
    .map(withWholeState)
    .flatMap((event) => {
      const own =
        event.type === 'TOOL_CALL_RESULT' ? { ...event, messageId: `result-${results++}` } : event
      try {
        return verifier.take(withOneOfEachId(own))
      } catch (error) {
        if (error instanceof WireError) return []
        throw error
      }
    })
}

/** A call without a message makes one under its own id, which must not be that of another message. */
function withOwnCallIds(event: Sent): Sent {
  const text = JSON.stringify(event)
    .replaceAll(/"toolCallId":"(?!call-)/g, '"toolCallId":"call-')
    .replaceAll(/"toolCalls":\[\{"id":"(?!call-)/g, '"toolCalls":[{"id":"call-')
    .replaceAll(/("subtype":"tool-call","entityId":")(?!call-)/g, '$1call-')
  return JSON.parse(text) as Sent
}

/** The stock client passes over members that are added to a state without any. */
function withWholeState(event: Sent): Sent {
  const { snapshot } = event
  if (event.type !== 'STATE_SNAPSHOT' || (typeof snapshot === 'object' && snapshot)) return event
  return { ...event, snapshot: {} }
}

/** Makes message ids unique in a thread: the stock client gives no useful result for duplicates. */
function withOneOfEachId(event: Sent): Sent {
  const messages = event['messages'] as readonly Message[] | undefined
  if (!messages) return event
  return { ...event, messages: [...new Map(messages.map((each) => [each.id, each])).values()] }
}

async function byStockClient(events: readonly AGUIEvent[]) {
  const agent = new HttpAgent({ url: 'http://localhost' })
  const input = { threadId: 't', runId: 'r', state: {}, messages: [], tools: [], context: [] }
  const given = from(structuredClone(events) as BaseEvent[])
  const mutations = await lastValueFrom(defaultApplyEvents(input, given, agent, []).pipe(toArray()))
  const changed = mutations.findLast((each) => 'state' in each)
  return {
    messages: mutations.findLast(({ messages }) => messages !== undefined)?.messages ?? [],
    state: (changed ? changed.state : {}) as unknown,
    interrupts: agent.pendingInterrupts,
  }
}

test('[E1] [E024] [E027] [E029] [E032] [E040] any verified stream folds to the messages and the state of the stock client', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const stream = fc.array(fc.oneof({ weight: 4, arbitrary: anyWireEvent }, anyPatch), {
    maxLength: 60,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(stream, async (sent) => {
      const events = accepted(sent)
      const fold = new ThreadFold()
      for (const event of events) {
        fold.take(event)
        // Reading the view must not change the fold.
        if (event.type === 'TEXT_MESSAGE_CONTENT') void fold.view
      }
      const { messages, state, interrupts } = fold.view
      expect({ messages, state, interrupts }).toEqual(await byStockClient(events))
    }),
    { numRuns: timesInTier({ quick: 500, full: 10_000 }) },
  )
})
