import type { Gate } from '../gate/index.ts'
import type { Json } from '../json/index.ts'
import type { Runs } from '../agents/index.ts'
import { threadFace } from './application.ts'
import type { Application, Views } from './application.ts'

export interface AgentApplicationParts<State> {
  readonly name: string
  readonly gate: Gate<State>
  readonly runs: Runs<State>
  /** What roles see; the operator, who alone may enter without it, sees everything. */
  readonly views?: Views<State>
}

/** Serves agents: a thread is theirs when it began with a run, or with an event of their domain. */
export function agentApplication<State>(parts: AgentApplicationParts<State>): Application {
  const { name, gate, runs } = parts
  const everything: Views<State> = {
    // A domain's state is what its events made, and those are JSON.
    state: (state) => state as Json,
    record: (record) => record,
    whole: ['operator'],
  }
  return {
    name,
    opens: ['RUN_STARTED', ...gate.domain.events.keys()],
    entry: 'operator',
    runs,
    cancelling: { roles: [], cancel: (thread, request) => runs.cancel(thread, request) },
    face: threadFace(gate, parts.views ?? everything, runs),
    routes: () => undefined,
    recover: (thread) => runs.recover(thread),
    dueAt: (thread) => runs.dueAt(thread),
    moved: (thread) => runs.look(thread),
    takeUp: async (thread, dueAt) => runs.wakeAt(thread, dueAt),
    drain: (graceMs) => runs.drain(graceMs),
  }
}
