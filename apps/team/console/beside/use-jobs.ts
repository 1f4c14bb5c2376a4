import { useEffect, useState } from 'react'
import { fetchJobs } from '../team-requests.ts'
import type { Job } from '../team-requests.ts'

/** The jobs of the team, fetched again when the version changes. */
export function useJobs(version: number): readonly Job[] {
  const [jobs, setJobs] = useState<readonly Job[]>([])
  useEffect(() => {
    fetchJobs().then(setJobs, () => undefined)
  }, [version])
  return jobs
}

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
