import type { LanguageModel } from 'throughline/models'
import { defineDomain } from 'throughline'
import { Gate } from 'throughline/gate'
import type { EventLog, Holdings, Sha256 } from 'throughline/log'
import { Runs } from 'throughline/agents'
import type { ThreadLimits } from 'throughline/step'
import { agentApplication } from 'throughline/server'
import type { Application } from 'throughline/server'
import { deskAgents } from './index.ts'

export interface DeskApplicationParts {
  readonly log: EventLog
  readonly model: LanguageModel
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A fresh UUID. */
  readonly id: () => string
  readonly sha256: Sha256
  /** What the agents may use in one thread. */
  readonly threadLimits?: ThreadLimits
  /** Shares the leases of threads between all that work in them in this process. */
  readonly holdings?: Holdings
  /** Learns of faults in work that no request waits for. */
  readonly onFault?: (error: unknown, thread: string) => void
}

/** Puts the desk together: its agents only talk and use tools, so its threads have no state of their own. */
export function deskApplication(parts: DeskApplicationParts): Application {
  const domain = defineDomain<object>().domain({ name: 'desk', initial: {}, events: {} })
  const gate = new Gate<object>({ ...parts, domain })
  const runs = new Runs<object>({ ...parts, gate, agents: deskAgents(parts) })
  return agentApplication({ name: 'desk', gate, runs })
}
