import { assert } from '../../assert/index.ts'
import type { InputPart, WaitingTurn } from '../../activity/index.ts'
import type { DecidedEvent } from '../../domain/index.ts'
import { stableId } from '../../gate/index.ts'
import type { Commit, CommitOptions, GateProposal } from '../../gate/index.ts'
import { textOf } from '../../json/index.ts'
import type { JsonObject } from '../../json/index.ts'
import type { LogRecord, NewEvent, Origin } from '../../log/index.ts'
import { customTagged } from '../../step/index.ts'
import type { NarrationContext } from '../define/agent.ts'
import { GIVEN_UP, callsOf } from '../scope/answers.ts'
import type { WaitAnswer } from '../scope/answers.ts'
import type { ClientRequest } from '../scope/client-request.ts'
import { saidIn } from '../scope/input-files.ts'
import { freeMessageId, newMessages, spokenMessage } from '../scope/opening-messages.ts'
import { resumeStarted, runStarted, waitEnding, waitRecord } from '../scope/run-records.ts'
import type { RecordedWire } from '../scope/run-records.ts'
import { inCallOrder } from '../scope/run-messages.ts'
import type { Clicks, RunScope } from '../scope/scope.ts'
import { boundedResult, resultRecord } from '../scope/tool-result.ts'
import type { Resumed } from './turn-scope.ts'
import { messageRecordId, wireRunRecords } from '../scope/wire-ids.ts'

/** A proposed event, before it has an origin. */
export interface DirectEvent {
  /** A UUID, a fresh one by default; the same one again is answered with the outcome of the first time. */
  readonly id?: string | undefined
  readonly type: string
  readonly data: unknown
}

/** A person's events and message that begin a turn. */
export interface TurnInput extends Pick<ClientRequest, 'wire' | 'messages'> {
  /** A text, or parts: texts and files. */
  readonly input?: string | readonly InputPart[]
  readonly events?: readonly DirectEvent[]
  /** The person opened the page for the first time. */
  readonly first?: boolean
  /** The person, as an opaque id. */
  readonly actor?: string
  /** The role in which they ask, for tools and instructions. */
  readonly role?: string
  /** The application's own JSON about the request, for tools and instructions. It is not recorded. */
  readonly requestContext?: JsonObject
  /** The page or channel by which the person proposes the events, where the agent has no surface. */
  readonly surface?: string
  /** The turn must begin the thread: where that holds records, nothing is appended. */
  readonly begins?: boolean
}

export interface Opening extends TurnInput {
  /** Whether the thread holds no record yet. Then the first one names who began it. */
  readonly isFirst: boolean
  /** Recorded with the run's first record, when the request came under a key. */
  readonly digest?: string | undefined
  /** Records of the same turn, when an earlier run of it failed. */
  readonly earlier: readonly LogRecord[]
  /** A turn that waits for the client's own tools: its calls end as given up. */
  readonly passedOver?: WaitingTurn
}

export interface OpenedTurn {
  readonly started: LogRecord | undefined
  /** The opening was all that there was to do. */
  readonly hasEnded: boolean
  readonly clicks?: Clicks
}

/** Appends what begins a turn in one commit: the run, the person's events, rules, messages and notes. */
export async function openTurn<State>(
  scope: RunScope<State>,
  opening: Opening,
): Promise<OpenedTurn> {
  const { turn, agent, origin } = scope
  const { events = [], input, digest, earlier, actor, isFirst, begins = false } = opening
  // Under a key the same ids each time, so that a repeated opening finds its records.
  const id = (...parts: readonly string[]): string | undefined =>
    digest === undefined ? undefined : stableId(turn.thread, turn.turn, ...parts)
  const author = personOf(origin, opening)
  const { surface = opening.surface, ...rest } = author
  const person = { ...rest, ...(surface === undefined ? {} : { surface }) }
  const proposals = events.map((event, at): GateProposal => ({
    id: event.id ?? id('event', String(at)) ?? turn.id(),
    type: event.type,
    data: event.data,
    origin: person,
  }))
  const clicked = new Set(proposals.map((proposal) => proposal.id))
  const done = earlier.filter((record) => clicked.has(record.id))
  const { wire, records, messages } = isWired(opening)
    ? await wireOpening(scope, opening, author)
    : NOT_WIRED
  const { passedOver } = opening
  const left = passedOver ? callsOf(passedOver, (await turn.gate.latest(turn.thread)).pauses) : []
  const commit = await turn.commit(proposals, {
    before: [
      runStarted(isFirst && actor ? { ...origin, actor } : origin, turn.thread, { digest, wire }),
      ...records,
      ...left.map((toolCallId) =>
        resultRecord({ messageId: turn.id(), toolCallId }, GIVEN_UP, origin),
      ),
    ],
    ...(begins && earlier.length === 0 && { expectedVersion: -1 }),
    // Whoever asked is told, and asks again.
    mustRecord: false,
    after: ({ state, decided }) => {
      const context = { ...contextOf(opening, [...done, ...decided]), state }
      const ours = [
        ...agent.notes(context).map((value) => ({ name: 'note', value })),
        ...agent.annotations(context),
      ]
      const typed =
        input === undefined ? [] : [{ id: id('message') ?? turn.id(), ...saidIn(input) }]
      return [
        ...typed.flatMap((message) =>
          spokenMessage(turn.thread, message, { origin: author, isFresh: digest === undefined }),
        ),
        ...messages,
        ...ours.map(({ name, value }) =>
          withId(
            customTagged(name, value, origin),
            id(name, typeof value === 'string' ? value : JSON.stringify(value)),
          ),
        ),
      ]
    },
  })
  const clicks = clicksIn(commit)
  return { started: commit.records[0], hasEnded: false, ...(clicks && { clicks }) }
}

/** Appends what begins a turn once more that a crash cut off: what it began with is on record. */
export async function openAgain<State>({ turn, origin }: RunScope<State>): Promise<OpenedTurn> {
  const { actor } = turn.caller
  const started = runStarted(actor === undefined ? origin : { ...origin, actor }, turn.thread, {
    again: true,
  })
  const commit = await turn.commit([], { before: [started], mustRecord: false })
  return { started: commit.records[0], hasEnded: false }
}

export interface ResumedOpening extends Pick<
  Opening,
  'actor' | 'role' | 'digest' | 'wire' | 'messages'
> {
  readonly resumed: Resumed
  /** Throws when the questions cannot be answered any more: a cancel needs no lease. */
  readonly check: NonNullable<CommitOptions<unknown>['check']>
}

/**
 * Appends what begins a turn that goes on with answers: the run, the results of the client's tools, and new
 * messages. Where no run has anything to do until more is answered, the same commit ends it.
 */
export async function openResumedTurn<State>(
  scope: RunScope<State>,
  { resumed, check, ...opening }: ResumedOpening,
): Promise<OpenedTurn> {
  const { turn, origin } = scope
  const person = personOf(origin, opening)
  const { wire, records, messages } = isWired(opening)
    ? await wireOpening(scope, opening, person)
    : NOT_WIRED
  const { answers } = resumed
  const rest = inCallOrder(resumed.rest, (await turn.gate.latest(turn.thread)).conversation)
  const { digest, role } = opening
  const known = answers.filter(({ wait }) => turn.recorded.has(wait.toolCallId))
  const results = await Promise.all(known.map((each) => knownResult(scope, each, person)))
  const hasEnded = rest.length > 0 && known.length === answers.length && !turn.mustGoOn(rest)
  const ending = [...rest.map((wait) => waitRecord(wait, origin)), waitEnding(scope, rest)]
  const commit = await turn.commit([], {
    before: [
      // A person's words, as a prompt is: a tag in them is no proposal of the model that repeats it.
      resumeStarted(person, turn.thread, { answers, digest, wire, role }),
      ...records,
      ...results,
      ...messages,
      ...(hasEnded ? ending : []),
    ],
    mustRecord: false,
    check,
  })
  return { started: commit.records[0], hasEnded }
}

export interface DecidedOpening extends Omit<ResumedOpening, 'resumed' | 'wire' | 'messages'> {
  readonly decided: readonly WaitAnswer[]
}

/** Appends what begins a turn that finishes calls which another role has decided. */
export async function openDecidedTurn<State>(
  { turn, origin }: RunScope<State>,
  { decided: answers, check, digest, role, ...opening }: DecidedOpening,
): Promise<OpenedTurn> {
  const person = personOf(origin, opening)
  const started = resumeStarted(person, turn.thread, { answers, digest, role })
  const commit = await turn.commit([], { before: [started], mustRecord: false, check })
  return { started: commit.records[0], hasEnded: false }
}

interface WireOpening {
  readonly wire?: RecordedWire | undefined
  readonly records: readonly NewEvent[]
  readonly messages: readonly NewEvent[]
}

const NOT_WIRED: WireOpening = { records: [], messages: [] }

/** Whether a client named the run or brought messages: only then is the thread looked at for them. */
function isWired({ wire, messages = [] }: Pick<TurnInput, 'wire' | 'messages'>): boolean {
  return wire !== undefined || messages.length > 0
}

async function wireOpening<State>(
  { turn, origin }: RunScope<State>,
  { wire, messages = [] }: Pick<TurnInput, 'wire' | 'messages'>,
  author: Origin,
): Promise<WireOpening> {
  const { thread, log } = turn
  const { conversation } = await turn.gate.latest(thread)
  const fresh = await newMessages({ log, thread, conversation }, messages, author)
  return {
    wire: wire && { ...wire, messages: fresh.map(({ id }) => id) },
    records: await wireRunRecords(log, { thread, turn: turn.turn, origin }, wire?.runId),
    messages: fresh.flatMap((message) => spokenMessage(thread, message, { origin: author })),
  }
}

async function knownResult<State>(
  { turn, agent, origin }: RunScope<State>,
  { wait, result }: WaitAnswer,
  person: Origin,
): Promise<NewEvent> {
  assert(result, `Cannot record the result of call ${wait.toolCallId}: there is none`)
  const { by, messageId: wanted, ...rest } = boundedResult(result, agent.limits.resultChars)
  const free = await freeMessageId(turn, wanted)
  const call = { messageId: free ?? turn.id(), toolCallId: wait.toolCallId }
  const event = resultRecord(call, rest, by === 'client' ? person : origin)
  return withId(event, free === undefined ? undefined : messageRecordId(turn.thread, free))
}

function clicksIn({ answers, head }: Commit<unknown>): Clicks | undefined {
  if (answers.length === 0) return undefined
  return { before: Math.min(...answers.map(({ record }) => record.seq)) - 1, after: head }
}

function personOf<Of extends Origin>(origin: Of, { actor }: Pick<Opening, 'actor'>): Of {
  return { ...origin, source: 'ui', ...(actor === undefined ? {} : { actor }) }
}

function contextOf(
  { input, messages = [], events = [], first = false }: Opening,
  done: readonly Pick<DecidedEvent, 'type' | 'data'>[],
): Omit<NarrationContext<never>, 'state'> {
  return {
    said: [...messages, ...(input === undefined ? [] : [saidIn(input)])]
      .map(({ text }) => text)
      .join('\n'),
    accepted: done.filter(({ type }) => type !== 'event_refused'),
    refused: done.flatMap(({ type, data }) =>
      type === 'event_refused'
        ? [{ type: textOf(data, 'type'), reason: textOf(data, 'reason') }]
        : [],
    ),
    first,
    bare: input === undefined && messages.length === 0 && events.length === 0,
  }
}

function withId(event: NewEvent, id: string | undefined): NewEvent {
  return id === undefined ? event : { ...event, id }
}
