import type { AgentTurn, AnsweringAgent, NamedAgent, OPERATOR } from '../agents/index.ts'
import type { CallerEvent } from '../activity/index.ts'
import type { EventEntries, ProposalOf, StoredEvent } from '../domain/index.ts'
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
  /** The same, as the newest version of each type stores them. */
  readonly stored?: { readonly type: string; readonly data: unknown }
}

type EventActivity = Extract<CallerEvent, { readonly type: 'event' }>

/** A domain event as the caller of a turn gets it: by its `name` the compiler knows its data. */
type ActivityOf<Stored> = Stored extends { readonly type: infer Name; readonly data: infer Data }
  ? EventActivity & { readonly name: Name; readonly data: Data }
  : never

/** What iterating a turn gives; the events of a domain with the data that it declares. */
type CallerEventIn<Types extends AppTypes> = string extends Types['proposal']['type']
  ? CallerEvent
  : Exclude<CallerEvent, EventActivity> | (EventActivity & ActivityOf<Types['stored']>)

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
  readonly stored: StoredEvent<Events>
}

/** The type of `result.output` of an agent's turns. */
type OutputIn<Types extends AppTypes, Name extends string> = string extends Name
  ? unknown
  : Extract<Types['answers'], { readonly name: Name }>['output']

/** A turn of an agent of these types. */
export type TurnIn<Types extends AppTypes, Name extends string = Types['agent']> = AgentTurn<
  Types['state'],
  OutputIn<Types, Name>,
  CallerEventIn<Types>
>
