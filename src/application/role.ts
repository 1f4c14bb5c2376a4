import type { LogRecord } from '../log/index.ts'
import type { Json } from '../json/index.ts'

/** A role's views of records and of the state. */
export interface RoleView<State> {
  /** A record that it returns nothing for is hidden. Without it every record is shown as it is stored. */
  readonly record?: (record: LogRecord) => LogRecord | undefined
  readonly state: (state: State) => Json
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
  /** `all`: every record as it is stored, and the whole state. */
  readonly read: 'all' | RoleView<State>
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
export type Permission = Exclude<keyof Role<never>, 'read'>

/** Whether a role has a permission: for this name, where the permission is a list. */
export function may<State>(role: Role<State>, permission: Permission, what?: string): boolean {
  if (permission === 'answer') return role.answer !== undefined && role.answer !== false
  const allowed = role[permission]
  if (allowed === undefined || typeof allowed === 'boolean') return allowed ?? false
  return allowed === 'all' || what === undefined || allowed.includes(what)
}
