import type { CommitOptions, Commit, Gate } from '../gate/index.ts'
import type { Runs } from '../agents/index.ts'
import type { Origin } from '../log/index.ts'
import type { Json } from '../json/index.ts'
import { ApplicationError } from './app-error.ts'
import type { App } from './define-app.ts'
import { OPERATOR, OPERATOR_ROLE } from './role.ts'
import type { Role, RoleView } from './role.ts'
import type { View } from '../faces/index.ts'

/** Records that one read of an earlier state may fold. */
export const STATE_EVENTS_MAX = 100_000

/** An event as somebody proposes it, before it has an origin. */
export interface DirectEvent {
  /** Any UUID; one that the thread holds is answered with its stored record. */
  readonly id: string
  readonly type: string
  readonly data: unknown
}

/** Who proposes: it goes on record, and the domain decides by it. */
export interface Proposer {
  readonly source: Exclude<Origin['source'], 'model' | 'rule'>
  /** The page or channel that it comes by. */
  readonly surface?: string
  /** The person or system that acted, as an opaque id. */
  readonly actor?: string
}

/** One application over a log: its gate, its engine, and what each role may see. */
export class OpenedApp<State = unknown> {
  readonly app: App<State>
  readonly gate: Gate<State>
  readonly runs: Runs<State>

  constructor(parts: {
    readonly app: App<State>
    readonly gate: Gate<State>
    readonly runs: Runs<State>
  }) {
    this.app = parts.app
    this.gate = parts.gate
    this.runs = parts.runs
  }

  get name(): string {
    return this.app.name
  }

  /** Whether anybody but the operator may enter its threads. */
  get hasRoles(): boolean {
    return this.app.roles.size > 0
  }

  hasRole(name: string): boolean {
    return this.role(name) !== undefined
  }

  /** What a role is declared to see and do; the operator may do everything. */
  role(name: string): Role<State> | undefined {
    const { roles, operatorReads: read } = this.app
    return name === OPERATOR ? { ...OPERATOR_ROLE, read } : roles.get(name)
  }

  /**
   * The threads of this application as a role sees them.
   *
   * @throws {@link ApplicationError} `unknown_role`; what is returned throws `view_failed`
   */
  view(name: string): View {
    const role = this.role(name)
    if (!role) throw unknownRole(this.app, name)
    const { gate } = this
    // A domain's state is what its events made, and those are JSON.
    const all: RoleView<State> = { state: (state) => state as Json }
    const { record, state: show } = role.read === 'all' ? all : role.read
    const guarded = <Shown>(what: string, showing: () => Shown): Shown => {
      try {
        return showing()
      } catch (error) {
        throw viewFailed(this.app, { role: name, what, error })
      }
    }
    return {
      role: name,
      whole: record === undefined,
      record: (stored) => (record ? guarded(`record ${stored.seq}`, () => record(stored)) : stored),
      async state(thread, at) {
        const { seq, state } = await gate.state(thread, at, STATE_EVENTS_MAX)
        return { seq, state: guarded('the state', () => show(state)) }
      },
    }
  }

  /**
   * Proposes events: the gate decides each, the rules follow, and what becomes due is done afterwards.
   *
   * @throws {@link LogError} `version_conflict`, {@link GateError} `key_reused`
   */
  async propose(
    thread: string,
    events: readonly DirectEvent[],
    {
      as,
      ...options
    }: { readonly as: Proposer } & Pick<CommitOptions, 'expectedVersion' | 'request'>,
  ): Promise<Commit<State>> {
    const { source, surface, actor } = as
    const origin = { source, depth: 0, ...(surface && { surface }), ...(actor && { actor }) }
    const proposals = events.map((event) => ({ ...event, origin }))
    const commit = await this.gate.commit(thread, proposals, options)
    this.runs.wake(thread)
    return commit
  }
}

function unknownRole(
  { name, roles }: Pick<App, 'name'> & { readonly roles: ReadonlyMap<string, unknown> },
  role: string,
): ApplicationError {
  const known = [...roles.keys(), OPERATOR].map((each) => `"${each}"`).join(', ')
  return new ApplicationError(
    'unknown_role',
    `Cannot act as "${role}" in "${name}": its roles are ${known}`,
  )
}

interface ViewFault {
  readonly role: string
  readonly what: string
  readonly error: unknown
}

function viewFailed(
  { name }: Pick<App, 'name'>,
  { role, what, error }: ViewFault,
): ApplicationError {
  const why = error instanceof Error ? error.message : String(error)
  return new ApplicationError(
    'view_failed',
    `Cannot show ${what} to "${role}" of "${name}": what the role may see threw: ${why}`,
    { cause: error },
  )
}
