import type { Job } from '../team-requests.ts'

/** The names of an agent's job, and of the jobs that it was offered. */
export interface AgentWork {
  readonly job?: string
  readonly offers: readonly string[]
}

export function workOf(name: string, jobs: readonly Job[]): AgentWork {
  const job = jobs.find(({ assignedAgent }) => assignedAgent === name)
  const offers = jobs.filter(({ offeredTo = [] }) => offeredTo.includes(name))
  return { ...(job && { job: job.name }), offers: offers.map((each) => each.name) }
}
