import { useEffect, useRef, useState } from 'react'
import { fetchTeam } from './team-requests.ts'
import type { Permission, SessionBudget } from './team-requests.ts'
import { EMPTY_VIEW, viewAfter } from './view/team-view.ts'
import type { PageEvent, TeamView } from './view/team-view.ts'
import { inBackground } from '../../kit/index.ts'

const HEARTBEAT_MS = 5_000
/** Heartbeats that may be missing before the connection counts as lost. */
const MISSED_MAX = 3
/** Events within this time are drawn at once. */
const DRAW_DELAY_MS = 16

export interface LiveTeam {
  readonly view: TeamView
  /** `checking` until what happened before the page was opened is there. */
  readonly status: 'checking' | 'live' | 'lost' | 'refused'
  readonly permissions: readonly Permission[]
  /** Each changes when what the server keeps of it has changed. */
  readonly versions: { readonly jobs: number; readonly rules: number; readonly budget: number }
  /** No other program is installed: the built-in one plays the team. */
  readonly isScripted: boolean
  /** The folder that the program works in. */
  readonly folder: string
  /** Of the session that is open; undefined until the server has told it. */
  readonly budget: SessionBudget | undefined
  /** Connects at once, instead of when the browser tries again. */
  readonly tryNow: () => void
}

/** Before the server has answered. */
export const UNKNOWN: Omit<LiveTeam, 'tryNow'> = {
  view: EMPTY_VIEW,
  status: 'checking',
  permissions: [],
  versions: { jobs: 0, rules: 0, budget: 0 },
  isScripted: false,
  folder: '',
  budget: undefined,
}

/** Follows the team’s events. Reconnects at its cursor, and when three heartbeats are missing. */
export function useTeam(): LiveTeam {
  const [team, setTeam] = useState(UNKNOWN)
  const follower = useRef<TeamFollower>(undefined)
  useEffect(() => {
    follower.current = new TeamFollower((change) => setTeam(change))
    inBackground(follower.current.begin())
    return () => follower.current?.close()
  }, [])
  return { ...team, tryNow: () => follower.current?.tryNow() }
}

type Known = Omit<LiveTeam, 'tryNow'>
type Change = (team: Known) => Known

/** What the events beside the 21 types change; their data is what the server recorded. */
const NAMED: Readonly<Record<string, (team: Known, data: never) => Known>> = {
  permission_asked: (team, asked: Permission) => ({
    ...team,
    permissions: [...team.permissions, asked],
  }),
  permission_answered: (team, { request }: Permission) => ({
    ...team,
    permissions: team.permissions.filter((each) => each.request !== request),
  }),
  job_saved: changed('jobs'),
  offer_declined: changed('jobs'),
  permission_rule_added: changed('rules'),
  permission_rule_removed: changed('rules'),
  budget_set: changed('budget'),
  budget_spent: changed('budget'),
}

function changed(what: keyof LiveTeam['versions']): Change {
  return (team) => ({
    ...team,
    versions: { ...team.versions, [what]: team.versions[what] + 1 },
  })
}

class TeamFollower {
  readonly #change: (change: Change) => void
  #source: EventSource | undefined
  #events: PageEvent[] = []
  #drawing: number | undefined
  #heard = performance.now()
  #after = -1
  #head = -1
  #epoch = ''
  #isClosed = false
  readonly #watch: number

  constructor(change: (change: Change) => void) {
    this.#change = change
    this.#watch = window.setInterval(() => this.#reopenIfSilent(), HEARTBEAT_MS)
  }

  /** Shows what lasts, and then what happens. */
  async begin(): Promise<void> {
    this.#heard = performance.now()
    const kept = await fetchTeam()
    if (this.#isClosed) return
    if (typeof kept === 'string') return this.#change((team) => ({ ...team, status: kept }))
    const { agents, artifacts, needsSetup, ...known } = kept
    const lasting = { agents, artifacts, needsSetup }
    this.#change((team) => ({ ...team, ...known, view: { ...team.view, ...lasting } }))
    this.#open()
  }

  close(): void {
    this.#isClosed = true
    this.#source?.close()
    clearInterval(this.#watch)
    clearTimeout(this.#drawing)
  }

  tryNow(): void {
    if (this.#source) this.#open()
    else inBackground(this.begin())
  }

  #open(): void {
    this.#source?.close()
    const place = this.#after < 0 ? '' : `?after=${this.#after}&epoch=${this.#epoch}`
    const source = new EventSource(`/api/events${place}`)
    this.#source = source
    this.#heard = performance.now()
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.#heard = performance.now()
      this.#take(JSON.parse(data) as PageEvent | { readonly type: 'heartbeat' })
    })
    source.addEventListener('hello', ({ data }: MessageEvent<string>) => this.#greet(data))
    source.addEventListener('reset', () => this.#reset())
    for (const [type, change] of Object.entries(NAMED)) {
      source.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) => {
        if (!this.#isNew(Number(lastEventId))) return
        const recorded = JSON.parse(data) as never
        this.#change((team) => change(team, recorded))
      })
    }
    source.addEventListener('message_dropped', ({ data, lastEventId }: MessageEvent<string>) => {
      const { message } = JSON.parse(data) as { readonly message: string }
      this.#take({ type: 'message_dropped', id: Number(lastEventId), message })
    })
    source.addEventListener('error', () => {
      this.#change((team) => ({ ...team, status: 'lost' }))
    })
  }

  #noteJobs(): void {
    this.#change(changed('jobs'))
  }

  #greet(text: string): void {
    const { epoch, head } = JSON.parse(text) as { readonly epoch: string; readonly head: number }
    // The browser came back by itself with the cursor of a log that is gone.
    if (this.#epoch !== '' && this.#epoch !== epoch) return this.#reset()
    this.#epoch = epoch
    this.#head = head
    this.#draw()
  }

  /** The log is another one: what lasts is fetched again, and everything that it holds follows. */
  #reset(): void {
    this.#source?.close()
    this.#source = undefined
    this.#after = -1
    this.#epoch = ''
    this.#events = []
    this.#change((team) => ({ ...team, status: 'checking', view: EMPTY_VIEW, permissions: [] }))
    inBackground(this.begin())
  }

  #take(event: PageEvent | { readonly type: 'heartbeat' }): void {
    if (event.type === 'heartbeat') return this.#draw()
    if (!this.#isNew(event.id)) return
    // The program that asked is gone.
    if (event.type === 'session_end') this.#change((team) => ({ ...team, permissions: [] }))
    this.#events.push(event)
    this.#draw()
  }

  /** Moves the cursor; what comes again after a cut is known. */
  #isNew(id: number): boolean {
    if (id <= this.#after) return false
    this.#after = id
    return true
  }

  #draw(): void {
    this.#drawing ??= window.setTimeout(() => {
      this.#drawing = undefined
      const events = this.#events
      this.#events = []
      if (events.some(({ type }) => type === 'agent_work_offered')) this.#noteJobs()
      const status =
        this.#after < this.#head && this.#source?.readyState !== 1 ? 'checking' : 'live'
      this.#change((team) => ({ ...team, status, view: events.reduce(viewAfter, team.view) }))
    }, DRAW_DELAY_MS)
  }

  #reopenIfSilent(): void {
    if (performance.now() - this.#heard < HEARTBEAT_MS * MISSED_MAX) return
    this.#change((team) => (team.status === 'refused' ? team : { ...team, status: 'lost' }))
    this.tryNow()
  }
}
