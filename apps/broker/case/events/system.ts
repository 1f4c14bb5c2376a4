import type { Json, LogRecord } from 'throughline'
import { z } from 'zod'
import { DEMO_SCENARIOS } from '../../lenders/index.ts'
import { SYSTEM } from '../authority.ts'
import { NO_CASE, broker, changeCase, isoTime } from '../case-domain.ts'
import { brokerState, waterfallResult } from '../case-schema.ts'
import { NAME_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '../limits.ts'
import { line } from '../payload-fields.ts'
import { PERSONAL_MEMBERS } from '../personal-data.ts'
import { refuse, refuseLocked } from '../refusals.ts'
import type { CaseOutcomeRecord, CaseState, CaseStatus, WaterfallResult } from '../state.ts'

const creation = z.object({
  sessionId: line(REFERENCE_LENGTH_MAX),
  retailerName: line(NAME_LENGTH_MAX),
  demoScenario: z.enum(DEMO_SCENARIOS).default('auto'),
  demonstration: z.boolean().default(false),
})

const creationOfVersion1 = z.looseObject({})

/** The facts that a recovery seed names, newest kept. */
export const SEED_POINTS_MAX = 200

const hash = (digits: number) => z.string().regex(new RegExp(`^[\\da-f]{${digits}}$`))

/** The last fact that a seed was made at. */
const seedHead = z.object({
  epoch: line(REFERENCE_LENGTH_MAX),
  seq: z.int().min(0),
  hash: hash(64),
})
export type SeedHead = z.infer<typeof seedHead>

/** The source of a recovered case, which a seed carries beside the state. */
export const seedSource = z.object({
  from: seedHead,
  line: z.array(hash(32)).min(1).max(SEED_POINTS_MAX),
  submittedAt: z.iso.datetime().exactOptional(),
})
export type SeedSource = z.infer<typeof seedSource>

// The messages of a case that comes back follow as records of their own.
const hydration = brokerState.extend(seedSource.shape)

const hydrationOfVersion1 = z.looseObject({ fromVersion: z.int() })

export const systemEvents = {
  case_created: broker.event({
    schema: creation,
    by: [SYSTEM],
    guard: ({ case: state }) => refuseSecondStart(state),
    reduce: (_, { demoScenario: scenario, demonstration, ...named }, fact) => {
      const at = isoTime(fact)
      const { sessionId, retailerName } = named
      const started = { sessionId, retailerName, createdAt: at, updatedAt: at }
      const state = { case: { ...NO_CASE.case, ...started }, scenario }
      return demonstration ? { ...state, demonstration } : state
    },
    version: 2,
    upcasts: [
      // Version 1 did not say.
      (data) => ({ ...creationOfVersion1.parse(data), demonstration: false }) as Json,
    ],
  }),
  case_hydrated: broker.event({
    schema: hydration,
    by: [SYSTEM],
    // The route that takes a seed checks that it descends from the thread's history.
    guard: ({ case: state }, data) =>
      state.sessionId === data.case.sessionId ? undefined : refuseSecondStart(state),
    reduce: (_, { from: _from, line: _line, submittedAt: _submittedAt, ...state }) => state,
    personal: PERSONAL_MEMBERS.case_hydrated,
    version: 2,
    upcasts: [
      (data) => {
        const { fromVersion: seq, ...state } = hydrationOfVersion1.parse(data)
        // A seed of version 1 named no log and no facts.
        return { ...state, from: { epoch: '', seq, hash: '' }, line: [] } as Json
      },
    ],
  }),
  waterfall_recorded: broker.event({
    schema: z.object({ result: waterfallResult }),
    by: [SYSTEM],
    guard: ({ case: state }) => {
      // A customer may withdraw while a lender decides; the decision still goes on record.
      if (isRunning(state.status) || state.status === 'withdrawn') return undefined
      return refuse('precondition', 'No application is with the lenders')
    },
    reduce: (state, { result }, fact) => {
      const waterfall = withAnswerTime(result, isoTime(fact))
      return changeCase(state, { waterfall, ...consequence(state.case, result, fact) }, fact)
    },
  }),
  journey_idle: broker.event({
    schema: z.object({ since: z.iso.datetime() }),
    by: [SYSTEM],
    guard: ({ case: state }) =>
      state.status === 'intake'
        ? refuse('precondition', 'The journey has not begun')
        : refuseLocked(state),
    // A changed state would begin a new silence.
    reduce: (state) => state,
  }),
}

/** Returns the source in a hydration; undefined for other records and those of version 1. */
export function hydrationSource({ type, v, data }: LogRecord): SeedSource | undefined {
  return type === 'case_hydrated' && v > 1 ? seedSource.parse(data) : undefined
}

function refuseSecondStart({ sessionId }: CaseState) {
  if (sessionId === '') return undefined
  return refuse('precondition', 'The thread already holds a case')
}

function isRunning(status: CaseStatus): boolean {
  return status === 'submitting' || status === 'waterfall_running'
}

/** A lender that is known to have been asked at some time answered when its answer was recorded. */
function withAnswerTime(result: WaterfallResult, answeredAt: string): WaterfallResult {
  const last = result.steps.at(-1)
  if (last?.askedAt === undefined || last.answeredAt !== undefined) return result
  return {
    ...result,
    steps: [...result.steps.slice(0, -1), { ...last, answeredAt }],
    updatedAt: answeredAt,
  }
}

function consequence(
  { status }: CaseState,
  result: WaterfallResult,
  fact: { readonly ts: number },
): Partial<CaseState> {
  if (!isRunning(status)) return {}
  if (result.acceptedOffer) return { status: 'selected' }
  if (result.awaitingCounterDecision) return { status: 'awaiting_counter_decision' }
  if (!result.exhausted) return { status: 'waterfall_running' }
  const caseOutcome: CaseOutcomeRecord = { kind: 'declined', recordedAt: isoTime(fact) }
  return { status: 'declined', caseOutcome }
}
