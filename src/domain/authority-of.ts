import type { Domain } from './define-domain.ts'
import type { AnyEventType, Authority, From } from './event-type.ts'

/**
 * Lists who may propose what, a row for each authority of each event type: the source with its surface, the
 * type, the states that it is accepted in, and whether a condition or a guard narrows it. Sorted, so that only a
 * change of authority changes it: as a file snapshot it is a lock that CI holds.
 *
 * @example
 * authorityOf(lamp) // ['model: lit, from broken false, guard', 'ui on wall: put_out']
 */
export function authorityOf<State>({ events }: Pick<Domain<State>, 'events'>): readonly string[] {
  const rows = [...events].flatMap(([type, entry]) =>
    entry.by.map((authority) => rowOf(type, entry, authority)),
  )
  return rows.toSorted()
}

function rowOf<State>(
  type: string,
  { from = {}, guard }: AnyEventType<State>,
  { source, surface, when }: Authority<State, unknown>,
): string {
  const who = surface === undefined ? source : `${source} on ${surface}`
  const conditions = [...statesIn(from), ...(when ? ['when'] : []), ...(guard ? ['guard'] : [])]
  return [`${who}: ${type}`, ...conditions].join(', ')
}

function statesIn<State>(from: From<State>): readonly string[] {
  return Object.entries<unknown>(from)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, given]) => {
      const values: readonly unknown[] = Array.isArray(given) ? given : [given]
      return `from ${name} ${values.map(String).toSorted().join(' or ')}`
    })
}
