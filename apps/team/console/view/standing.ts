import type { LiveTeam } from '../use-team.ts'
import { doing } from './doing.ts'
import type { Asked, Doing } from './doing.ts'

/** What an agent of the team does now. */
export function doingIn(team: LiveTeam, name: string): Doing {
  return doing(team.view, name, asked(team))
}

/** Whether the budget is used up, so that messages wait for a person to raise it. */
export function isHeld({ budget }: Pick<LiveTeam, 'budget'>): boolean {
  return (budget?.percent ?? 0) >= 100
}

function asked(team: LiveTeam): Asked {
  const { status, permissions } = team
  return {
    isCurrent: status === 'live',
    isAsked: permissions.length > 0,
    isHeld: isHeld(team),
  }
}
