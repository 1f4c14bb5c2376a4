import type { Tool } from './tool.ts'

/** Says why a rule cannot be followed; `undefined` when it can. A program without types may give anything. */
export function whyNoApproval(rule: unknown): string | undefined {
  if (rule === undefined || ['boolean', 'function'].includes(typeof rule)) return undefined
  if (typeof rule !== 'object' || rule === null)
    return 'is none of true, a function and { by, if? }'
  const { by, if: isNeeded, ...others } = rule as Partial<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) return `has "${other}", which is none of by and if`
  if (isNeeded !== undefined && typeof isNeeded !== 'function')
    return 'has an "if" that is no function'
  const roles: readonly unknown[] = Array.isArray(by) ? by : [by]
  const areNames =
    roles.length > 0 && roles.every((role) => typeof role === 'string' && role !== '')
  return areNames ? undefined : 'names no role: give by: "…" or a list of roles'
}

/** The roles that decide about a tool's calls; nothing where the page that asked does. */
export function approversOf({ needsApproval }: Tool): readonly string[] | undefined {
  if (typeof needsApproval !== 'object') return undefined
  return [needsApproval.by].flat()
}
