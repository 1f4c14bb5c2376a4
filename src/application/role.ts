import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'

/** A role's views of records and of the state. */
export interface RoleView<State> {
  readonly state: (state: State) => Json
  /**
   * Without it no record is shown, and nothing that agents say or do. `all` shows each record as it is
   * stored; `redacted` without personal data and without what people and agents wrote, and gives `state` a
   * redacted state; a function shows what it returns, and hides the record that it returns nothing for.
   */
  readonly record?: 'all' | 'redacted' | ((record: LogRecord) => LogRecord | undefined)
}

/** What a role may answer; an absent part is not given. */
export interface AnswerPermission {
  /** Approvals of tool calls: all, or those of these tools. */
  readonly approvals?: boolean | readonly string[]
  /** Values that tools ask for. */
  readonly questions?: boolean
  /** Results of client tools that another role's page was asked for. */
  readonly clientTools?: boolean
}

/** The permissions of a bearer in an application's threads; an absent one is not given. */
export interface Role<State, EventType extends string = string, AgentName extends string = string> {
  /**
   * `all`: every record as it is stored, and the whole state. `redacted`: the same without personal data and
   * without what people and agents wrote.
   */
  readonly read: 'all' | 'redacted' | RoleView<State>
  /**
   * Of a redacted role: the event type that records a reveal. Who has put one on record sees the personal data
   * of its thread for as long as it holds. The guard of the type decides who may.
   */
  readonly reveal?: EventType
  /**
   * The names of the index whose values it sees and finds threads by, of the threads that it may enter. By
   * default all where it reads `all`, and otherwise none: the values are computed from the whole state.
   */
  readonly lists?: 'all' | readonly string[]
  /** Event types; `all`: whatever the domain lets its surface propose. */
  readonly propose?: 'all' | readonly EventType[]
  /** Agents that it may ask. An agent with a surface may be asked only by the role of that name. */
  readonly run?: 'all' | readonly AgentName[]
  /** Whether its first event or run may open a thread. */
  readonly begin?: boolean
  /**
   * What it may answer of what agents wait for. The results of a page's own tools need none: they come from
   * the page that asked.
   */
  readonly answer?: boolean | AnswerPermission
  /** Whether it may cancel runs on its own surface, or on none. */
  readonly cancel?: boolean
}

export const OPERATOR_ROLE: Omit<Role<never>, 'read'> = {
  propose: 'all',
  run: 'all',
  begin: true,
  answer: true,
  cancel: true,
}

/** The permissions of roles besides reading. */
export type Permission = Exclude<keyof Role<never>, 'read' | 'reveal' | 'lists'>

/** Whether a role sees the values of the index under a name. */
export function sees<State>(
  { read, lists = read === 'all' ? 'all' : [] }: Role<State>,
  name: string,
): boolean {
  return lists === 'all' || lists.includes(name)
}

/** Whether a role has a permission: for this name, where the permission is a list. */
export function may<State>(role: Role<State>, permission: Permission, what?: string): boolean {
  if (permission === 'answer') return role.answer !== undefined && role.answer !== false
  const allowed = role[permission]
  if (allowed === undefined || typeof allowed === 'boolean') return allowed ?? false
  return allowed === 'all' || what === undefined || allowed.includes(what)
}
