import { defineDomain } from 'throughline'
import { z } from 'zod'
import type { Refusal } from 'throughline'
import { budgetNews, setBudget, spend } from './budget.ts'
import { budgetSet, budgetSpent } from './budget-payloads.ts'
import { completeRegistration, registerAgent, reportStatus, sleepAll } from './agents.ts'
import { PAYLOADS, jobSaved, messageDropped, offerDeclined } from './payloads.ts'
import type { Payload, SavedJob, TeamEventType } from './payloads.ts'
import {
  permissionAnswered,
  permissionAsked,
  permissionDecided,
  permissionRuleAdded,
  permissionRuleRemoved,
} from './permission-payloads.ts'
import {
  PERMISSION_FAULTS,
  addRule,
  closePermission,
  permissionFault,
  removeRule,
  requireAsked,
  requireRule,
} from './permissions.ts'
import {
  beginSession,
  isFinal,
  requireEndable,
  requireGoingOn,
  requireSession,
} from './session-life.ts'
import { INITIAL_STATE } from './state.ts'
import type { TeamState } from './state.ts'
import {
  addWaiting,
  dropSetAside,
  failWaiting,
  refuse,
  requireSendable,
  requireSetAside,
  settleWaiting,
} from './waiting.ts'

/** The one thread of the team. */
export const TEAM_THREAD = 'team'

/** Kept beside the 21 types, and never shown as one of them. */
type OwnType =
  | 'budget_set'
  | 'budget_spent'
  | 'interrupt_asked'
  | 'job_saved'
  | 'message_dropped'
  | 'offer_declined'
  | 'permission_asked'
  | 'permission_answered'
  | 'permission_decided'
  | 'permission_rule_added'
  | 'permission_rule_removed'

const { event, domain } = defineDomain<TeamState>()

const byProcess = [{ source: 'process' }] as const
const byPerson = [{ source: 'ui' }] as const
const bySystem = [{ source: 'system' }] as const

/** Every record names the session that was open when it was appended. */
function inSession<Data extends object>(data: Data, { session }: TeamState) {
  return { ...data, sessionId: session?.id ?? null }
}

const keep = (state: TeamState): TeamState => state

/** The 21 stored types of the team's event log. Heartbeats are sent and never stored. */
export const teamDomain = domain({
  name: 'team',
  initial: INITIAL_STATE,
  events: {
    session_start: event({
      schema: PAYLOADS.session_start,
      by: bySystem,
      guard: ({ session }) => (session ? refuse('a session is open') : undefined),
      reduce: beginSession,
    }),
    session_end: event({
      schema: PAYLOADS.session_end,
      by: bySystem,
      // A log in memory begins with the end of the session that the log before it held.
      complete: (data, { session }) => ({
        ...data,
        sessionId: session?.id ?? data.sessionId ?? null,
      }),
      reduce: (state, { reason }) => ({
        ...state,
        session: null,
        isEndAsked: false,
        resumable: isFinal(reason) ? null : state.resumable,
        agents: sleepAll(state.agents),
        ...(reason === 'user_ended' && { waiting: [], setAside: [] }),
        permissions: [],
      }),
    }),
    auth_state: event({
      schema: PAYLOADS.auth_state,
      by: bySystem,
      complete: inSession,
      reduce: (state, { authMethod, needsSetup, expiresInMinutes }) => ({
        ...state,
        auth: { authMethod, needsSetup, expiresInMinutes },
      }),
    }),
    server_error: event({
      schema: PAYLOADS.server_error,
      by: [...bySystem, ...byProcess],
      complete: inSession,
      reduce: (state, error) => {
        const { answers = [], code } = error
        const { starting, session } = state
        // A log of an earlier release names no start here.
        const isOfStart = session === null && code === 'process_exited'
        const hasFailed = starting !== null && (isOfStart || answers.includes(starting.id))
        return { ...failWaiting(state, error), ...(hasFailed && { starting: null }) }
      },
    }),
    claude_system: event({
      schema: PAYLOADS.claude_system,
      by: byProcess,
      complete: inSession,
      reduce: (state, { claudeSessionId, model }) => {
        const { session } = state
        if (!session) return state
        const known = { ...session, claudeSessionId, model: model ?? session.model }
        return { ...state, session: known, resumable: known }
      },
    }),
    claude_text: output('claude_text'),
    claude_tool_result: output('claude_tool_result'),
    claude_compact: output('claude_compact'),
    claude_result: event({
      schema: PAYLOADS.claude_result,
      by: [...byProcess, ...bySystem],
      complete: inSession,
      reduce: (state, { answers, costUsd, usage }) => ({
        ...settleWaiting(state, answers),
        budget: spend(state.budget, { costUsd, usage }),
        usage: {
          turns: state.usage.turns + 1,
          costUsd: state.usage.costUsd + (costUsd ?? 0),
          inputTokens: state.usage.inputTokens + usage.inputTokens,
          outputTokens: state.usage.outputTokens + usage.outputTokens,
        },
      }),
    }),
    user_message: event({
      schema: PAYLOADS.user_message,
      by: [...byPerson, ...bySystem],
      guard: requireSendable,
      complete: inSession,
      reduce: (state, { again }, { id }) => addWaiting(state, 'user_message', { id, again }),
      personal: ['text', 'speakerName', 'ask'],
    }),
    user_summon: event({
      schema: PAYLOADS.user_summon,
      by: byPerson,
      guard: requireSendable,
      complete: inSession,
      reduce: (state, { again }, { id }) => addWaiting(state, 'user_summon', { id, again }),
    }),
    user_wake: event({
      schema: PAYLOADS.user_wake,
      by: byPerson,
      guard: requireSendable,
      complete: inSession,
      reduce: (state, { again }, { id }) => addWaiting(state, 'user_wake', { id, again }),
    }),
    user_session_start: event({
      schema: PAYLOADS.user_session_start,
      by: byPerson,
      guard: ({ session, starting }) =>
        session || starting ? refuse('a session is open') : undefined,
      complete: inSession,
      reduce: (state, { demoMode, budget = {} }, { id }) => ({
        ...state,
        starting: { id, demoMode, budget },
      }),
    }),
    user_session_end: event({
      schema: PAYLOADS.user_session_end,
      by: byPerson,
      guard: requireEndable,
      complete: inSession,
      reduce: (state) => ({ ...state, isEndAsked: true }),
    }),
    interrupt_asked: event({
      schema: z.strictObject({}),
      by: byPerson,
      guard: requireSession,
      reduce: keep,
    }),
    agent_registered: event({
      schema: PAYLOADS.agent_registered,
      by: byProcess,
      complete: ({ agent }, state, { ts }) =>
        inSession({ agent: completeRegistration(agent, ts) }, state),
      reduce: (state, { agent, sessionId }, { ts }) => ({
        ...state,
        agents: registerAgent(state.agents, agent, { ts, sessionId: sessionId ?? null }),
      }),
    }),
    agent_status: event({
      schema: PAYLOADS.agent_status,
      by: byProcess,
      complete: inSession,
      reduce: (state, { agents, sessionId }, { ts }) => ({
        ...state,
        agents: reportStatus(state.agents, agents, { ts, sessionId: sessionId ?? null }),
      }),
    }),
    agent_work_offered: output('agent_work_offered'),
    agent_message: output('agent_message'),
    artifact_written: event({
      schema: PAYLOADS.artifact_written,
      by: byProcess,
      complete: inSession,
      reduce: (state, written) => ({
        ...state,
        artifacts: { ...state.artifacts, [written.filename]: artifactOf(written) },
      }),
    }),
    screen_command: output('screen_command'),
    job_help: output('job_help'),
    budget_set: event({
      schema: budgetSet,
      by: [...byPerson, ...bySystem],
      guard: requireGoingOn,
      reduce: (state, budget) => ({ ...state, budget: setBudget(state.budget, budget) }),
    }),
    budget_spent: event({
      schema: budgetSpent,
      by: [{ source: 'rule' }],
      reduce: (state, { percent }) => ({ ...state, budget: { ...state.budget, told: percent } }),
    }),
    message_dropped: event({
      schema: messageDropped,
      by: byPerson,
      guard: (state, { message }) => requireSetAside(state, message),
      reduce: (state, { message }) => dropSetAside(state, message),
    }),
    job_saved: event({
      schema: jobSaved,
      by: byPerson,
      guard: requireFreeAgent,
      reduce: (state, job) => ({ ...state, jobs: { ...state.jobs, [job.id]: job } }),
    }),
    offer_declined: event({ schema: offerDeclined, by: byPerson, reduce: keep }),
    permission_asked: event({
      schema: permissionAsked,
      by: byProcess,
      reduce: (state, asked) => ({ ...state, permissions: [...state.permissions, asked] }),
    }),
    permission_decided: event({
      schema: permissionDecided,
      by: byProcess,
      guard: (state, { ruleId }) => (ruleId === undefined ? undefined : requireRule(state, ruleId)),
      reduce: keep,
    }),
    permission_answered: event({
      schema: permissionAnswered,
      by: [...byPerson, ...byProcess],
      guard: (state, answer) => {
        const fault = permissionFault(state, answer)
        return fault && refuse(PERMISSION_FAULTS[fault])
      },
      reduce: (state, { request }) => closePermission(state, request),
    }),
    permission_rule_added: event({
      schema: permissionRuleAdded,
      by: byPerson,
      guard: requireAsked,
      reduce: addRule,
    }),
    permission_rule_removed: event({
      schema: permissionRuleRemoved,
      by: byPerson,
      guard: (state, { id }) => requireRule(state, id),
      reduce: (state, { id }) => removeRule(state, id),
    }),
  } satisfies Record<TeamEventType | OwnType, unknown>,
  rules: [
    {
      name: 'budget',
      propose: ({ budget }) =>
        budgetNews(budget).map((data) => ({ type: 'budget_spent' as const, data })),
    },
  ],
})

/** Output of the program that changes no state. */
function output<Type extends TeamEventType>(type: Type) {
  return event({ schema: PAYLOADS[type], by: byProcess, complete: inSession, reduce: keep })
}

export function artifactOf({ filename, sizeBytes, meta }: Payload<'artifact_written'>) {
  const { description = '', category = 'knowledge', chapter = '' } = meta ?? {}
  return { filename, sizeBytes, description, category, chapter }
}

/** An agent has one job. */
function requireFreeAgent(
  { jobs }: TeamState,
  { id, assignedAgent }: SavedJob,
): Refusal | undefined {
  if (assignedAgent === null) return undefined
  const other = Object.values(jobs).find(
    (job) => job.assignedAgent === assignedAgent && job.id !== id,
  )
  return other && refuse(`"${assignedAgent}" has the job "${other.name}"`)
}
