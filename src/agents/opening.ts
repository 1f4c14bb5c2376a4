import { agentEvent } from '../activity/index.ts'
import type { DecidedEvent } from '../domain/index.ts'
import { stableId } from '../gate/index.ts'
import type { Commit, CommitOptions, GateProposal } from '../gate/index.ts'
import { textOf } from '../json/index.ts'
import type { LogRecord, NewEvent, Origin } from '../log/index.ts'
import { customTagged } from '../step/index.ts'
import type { NarrationContext } from './agent.ts'
import { resumeOpening, runStarted } from './run-records.ts'
import type { GivenAnswers } from './run-records.ts'
import type { RecordedRun, RunScope } from './scope.ts'

/** An event that a person proposes with a turn. */
export interface DirectEvent {
  /** A UUID; the same one again is answered with what it led to the first time. */
  readonly id?: string
  readonly type: string
  readonly data: unknown
}

/** What a person does and says to begin a turn. */
export interface TurnInput {
  readonly input?: string
  readonly events?: readonly DirectEvent[]
  /** The person opened the page for the first time. */
  readonly first?: boolean
  /** The person, as an opaque id. */
  readonly actor?: string
  /** The page or channel by which the person proposes the events, where the agent has no surface. */
  readonly surface?: string
}

export interface Opening extends TurnInput {
  /** Recorded with the run's first record, when the request came under a key. */
  readonly digest?: string | undefined
  /** Records of the same turn, when an earlier run of it failed. */
  readonly earlier: readonly LogRecord[]
}

/** The positions before and after the person's events, while they can have completed something. */
export interface Clicks {
  readonly before: number
  readonly after: number
}

export interface OpenedTurn {
  readonly started: LogRecord | undefined
  readonly clicks?: Clicks
}

/** Appends what begins a turn in one commit: the run, the person's events, rules, message and notes. */
export async function openTurn<State>(
  scope: RunScope<State>,
  opening: Opening,
): Promise<OpenedTurn> {
  const { turn, agent, origin } = scope
  const { events = [], digest, earlier } = opening
  const id = idsOf(scope, opening)
  const { surface = opening.surface, ...rest } = personOf(origin, opening)
  const person = { ...rest, ...(surface === undefined ? {} : { surface }) }
  const proposals = events.map((event, at): GateProposal => ({
    id: event.id ?? id('event', String(at)) ?? turn.id(),
    type: event.type,
    data: event.data,
    origin: person,
  }))
  const clicked = new Set(proposals.map((proposal) => proposal.id))
  const done = earlier.filter((record) => clicked.has(record.id))
  const commit = await turn.commit(proposals, {
    before: [runStarted(origin, turn.thread, { digest })],
    after: ({ state, decided }) => [
      ...spoken(scope, opening),
      ...agent
        .notes({ ...contextOf(opening, [...done, ...decided]), state })
        .map((note) => withId(customTagged('note', note, origin), id('note', note))),
    ],
  })
  const clicks = clicksIn(commit)
  return { started: commit.records[0], ...(clicks && { clicks }) }
}

/** Appends what begins a turn that goes on with answers, unless `check` throws: a cancel needs no lease. */
export async function openResumedTurn<State>(
  scope: RunScope<State>,
  given: GivenAnswers,
  check: NonNullable<CommitOptions<State>['check']>,
): Promise<OpenedTurn> {
  const { records } = await scope.turn.commit([], { before: resumeOpening(scope, given), check })
  return { started: records[0] }
}

function clicksIn({ answers, head }: Commit<unknown>): Clicks | undefined {
  if (answers.length === 0) return undefined
  return { before: Math.min(...answers.map(({ record }) => record.seq)) - 1, after: head }
}

/** Under a key the same ids each time, so that a repeated opening finds its records. */
function idsOf(
  { turn }: RecordedRun,
  { digest }: Opening,
): (...parts: readonly string[]) => string | undefined {
  return (...parts) =>
    digest === undefined ? undefined : stableId(turn.thread, turn.turn, ...parts)
}

function personOf(origin: Origin, { actor }: Opening): Origin {
  return { ...origin, source: 'ui', ...(actor === undefined ? {} : { actor }) }
}

function contextOf(
  { input, events = [], first = false }: Opening,
  done: readonly Pick<DecidedEvent, 'type' | 'data'>[],
): Omit<NarrationContext<never>, 'state'> {
  return {
    accepted: done.filter(({ type }) => type !== 'event_refused'),
    refused: done.flatMap(({ type, data }) =>
      type === 'event_refused'
        ? [{ type: textOf(data, 'type'), reason: textOf(data, 'reason') }]
        : [],
    ),
    first,
    bare: input === undefined && events.length === 0,
  }
}

function spoken(scope: RecordedRun, opening: Opening): readonly NewEvent[] {
  const { input: delta } = opening
  if (delta === undefined) return []
  const id = idsOf(scope, opening)
  const origin = personOf(scope.origin, opening)
  const messageId = id('message') ?? scope.turn.id()
  return [
    agentEvent('TEXT_MESSAGE_START', { messageId, role: 'user' }, origin),
    agentEvent('TEXT_MESSAGE_CONTENT', { messageId, delta }, origin),
    agentEvent('TEXT_MESSAGE_END', { messageId }, origin),
  ].map((event) => withId(event, id('message', event.type)))
}

function withId(event: NewEvent, id: string | undefined): NewEvent {
  return id === undefined ? event : { ...event, id }
}
