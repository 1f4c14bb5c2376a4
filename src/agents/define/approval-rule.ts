import type { Tool } from './tool.ts'

/** Says why a rule cannot be followed; `undefined` when it can. A program without types may give anything. */
export function whyNoApproval(rule: unknown): string | undefined {
  if (rule === undefined || ['boolean', 'function'].includes(typeof rule)) return undefined
  if (typeof rule !== 'object' || rule === null)
    return 'is none of true, a function and { by, if?, fourEyes? }'
  const { by, ...rest } = rule as Partial<Record<string, unknown>>
  const [unfit] = Object.entries(rest).flatMap(([part, given]) => whyNoPart(part, given) ?? [])
  if (unfit !== undefined) return unfit
  const roles: readonly unknown[] = Array.isArray(by) ? by : [by]
  const areNames =
    roles.length > 0 && roles.every((role) => typeof role === 'string' && role !== '')
  return areNames ? undefined : 'names no role: give by: "…" or a list of roles'
}

function whyNoPart(part: string, given: unknown): string | undefined {
  if (given === undefined) return undefined
  switch (part) {
    case 'if':
      return typeof given === 'function' ? undefined : 'has an "if" that is no function'
    case 'fourEyes':
      return typeof given === 'boolean' ? undefined : 'has a "fourEyes" that is no boolean'
    default:
      return `has "${part}", which is none of by, if and fourEyes`
  }
}

/** The roles that decide about a tool's calls; nothing where the page that asked does. */
export function approversOf({ needsApproval }: Tool): readonly string[] | undefined {
  if (typeof needsApproval !== 'object') return undefined
  return [needsApproval.by].flat()
}

/** Whether a tool's calls need another person than the one who asked. */
export function needsFourEyes({ needsApproval }: Tool): boolean {
  return typeof needsApproval === 'object' && needsApproval.fourEyes === true
}
