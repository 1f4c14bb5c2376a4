import type { AnsweringAgent, NamedAgent, OPERATOR } from '../agents/index.ts'
import type { EventEntries, ProposalOf } from '../domain/index.ts'
import type { CALLER } from './caller-role.ts'

/** The types of an application: its state, the events that it takes, and the names that it declares. */
export interface AppTypes {
  /** Its own name. */
  readonly app?: string
  readonly state: unknown
  /** The names of the agents that may be asked. */
  readonly agent: string
  /** The same agents, with the type of `output` of their answers. */
  readonly answers?: AnsweringAgent
  /** The names of its roles. */
  readonly role?: string
  /** The names of its index. */
  readonly index?: string
  /** The events that may be proposed. */
  readonly proposal: { readonly type: string; readonly data: unknown }
}

/** The roles of an application's people, the operator and callers included. */
export type RoleNameIn<Types extends AppTypes> =
  | NonNullable<Types['role']>
  | typeof OPERATOR
  | typeof CALLER

/** The types of an application of these parts. */
export interface TypesOfApp<
  State,
  Events extends EventEntries<State>,
  Agents extends readonly NamedAgent[],
  Name extends string,
  RoleName extends string,
  IndexName extends string,
> {
  readonly app: Name
  readonly role: RoleName
  readonly index: IndexName
  readonly state: State
  readonly agent: Agents[number]['name']
  readonly answers: NonNullable<Agents[number]['~answers']>
  readonly proposal: ProposalOf<Events>
}
