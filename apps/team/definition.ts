import { defineApp } from 'throughline'
import { teamDomain } from './events/index.ts'
import type { TeamState } from './events/index.ts'

/** The team as an application. It has no roles: its threads are the operator's. */
export function defineTeam() {
  return defineApp<TeamState>({
    name: 'team',
    opens: [
      'user_session_start',
      'session_start',
      'server_error',
      'auth_state',
      'job_saved',
      'session_end',
    ],
    domain: teamDomain,
    domainVersion: '4',
  })
}
