import { kindOf } from './kind-of.ts'

/** What a member of a definition must be, by its name. */
export type MemberShapes = Readonly<Record<string, 'a list' | 'an object'>>

/**
 * Names a member that is no list, or no object, where one belongs; `undefined` when there is none. A member may be
 * absent. Node would take the places of a list for names.
 */
export function misshapenMember(given: object, shapes: MemberShapes): string | undefined {
  for (const [name, shape] of Object.entries(shapes)) {
    const member: unknown = Reflect.get(given, name)
    if (member === undefined || kindOf(member) === shape) continue
    return `its \`${name}\` must be ${shape}, and is ${kindOf(member)}`
  }
  return undefined
}
