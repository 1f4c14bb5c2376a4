import type { AppTypes, RoleNameIn } from './app-types.ts'
import type { Pauses, ThreadWait } from '../activity/index.ts'
import type { AskedWait } from './answering.ts'
import type { ThreadsQuery } from './threads-query.ts'

export interface WaitsQuery<
  AppName extends string = string,
  RoleName extends string = string,
> extends Pick<ThreadsQuery<AppName>, 'app' | 'after' | 'limit'> {
  /** Leaves out what this role may not answer. */
  readonly role?: RoleName
  /** Leaves out also what this person of that role may not: their own requests, where four eyes are needed. */
  readonly actor?: string
}

/** With the names that applications declare. */
export type WaitsOf<Types extends AppTypes> = WaitsQuery<
  NonNullable<Types['app']>,
  RoleNameIn<Types>
>

export interface WaitsPage {
  readonly waits: readonly ThreadWait[]
  /** The `after` of the next page; absent on the last one. */
  readonly next?: string
}

/** What people may answer in a thread; the tools of pages answer by themselves. */
export function openWaits({
  approvals,
  waiting,
}: Pick<Pauses, 'approvals' | 'waiting'>): readonly (AskedWait & Pick<ThreadWait, 'ts'>)[] {
  const isOpen = ({ cancelledBy }: { readonly cancelledBy?: string }) => cancelledBy === undefined
  const asked = approvals.filter(isOpen).map(({ wait, surface, ts }) => ({ wait, surface, ts }))
  const pages = waiting
    .filter(isOpen)
    .flatMap(({ waits, surface }) => waits.map((wait) => ({ wait, surface })))
    .filter(({ wait }) => wait.reason !== 'client_tool')
  return [...asked, ...pages].map(({ surface, ...each }) => ({
    ...each,
    ...(surface === undefined ? {} : { surface }),
  }))
}
