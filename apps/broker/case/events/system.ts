import { z } from 'zod'
import { DEMO_SCENARIOS } from '../../lenders/index.ts'
import { SYSTEM } from '../authority.ts'
import { NO_CASE, broker, changeCase, isoTime } from '../case-domain.ts'
import { brokerState, waterfallResult } from '../case-schema.ts'
import { NAME_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '../limits.ts'
import { line } from '../payload-fields.ts'
import { refuse } from '../refusals.ts'
import type { CaseOutcomeRecord, CaseState, CaseStatus, WaterfallResult } from '../state.ts'

const creation = z.object({
  sessionId: line(REFERENCE_LENGTH_MAX),
  retailerName: line(NAME_LENGTH_MAX),
  demoScenario: z.enum(DEMO_SCENARIOS).default('auto'),
})

// The messages of a case that comes back follow as records of their own.
const hydration = brokerState.extend({ fromVersion: z.int().min(0) })

export const systemEvents = {
  case_created: broker.event({
    schema: creation,
    by: [SYSTEM],
    guard: ({ case: state }) => refuseSecondStart(state),
    reduce: (_, { sessionId, retailerName, demoScenario: scenario }, fact) => {
      const at = isoTime(fact)
      const started = { sessionId, retailerName, createdAt: at, updatedAt: at }
      return { case: { ...NO_CASE.case, ...started }, scenario }
    },
  }),
  case_hydrated: broker.event({
    schema: hydration,
    by: [SYSTEM],
    // A newer seed of the same case may come after an older one: whoever brings it compares versions.
    guard: ({ case: state }, data) =>
      state.sessionId === data.case.sessionId ? undefined : refuseSecondStart(state),
    reduce: (_, { fromVersion: _from, ...state }) => state,
    personal: ['case'],
  }),
  waterfall_recorded: broker.event({
    schema: z.object({ result: waterfallResult }),
    by: [SYSTEM],
    guard: ({ case: state }) => {
      // A customer may withdraw while a lender decides; what was decided still belongs on record.
      if (isRunning(state.status) || state.status === 'withdrawn') return undefined
      return refuse('precondition', 'No application is with the lenders')
    },
    reduce: (state, { result }, fact) =>
      changeCase(state, { waterfall: result, ...consequence(state.case, result, fact) }, fact),
  }),
}

function refuseSecondStart({ sessionId }: CaseState) {
  if (sessionId === '') return undefined
  return refuse('precondition', 'The thread already holds a case')
}

function isRunning(status: CaseStatus): boolean {
  return status === 'submitting' || status === 'waterfall_running'
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
