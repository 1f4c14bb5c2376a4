import type { Fact, Refusal } from 'throughline'
import { STANDING_RULES_MAX } from './permission-payloads.ts'
import type { AddedRule, PermissionAnswer, StandingRule } from './permission-payloads.ts'
import type { TeamState } from './state.ts'
import { refuse } from './waiting.ts'

type Permissions = Pick<TeamState, 'permissions'>
type Rules = Pick<TeamState, 'rules'>

/** Why an answer to a request for permission cannot be taken. */
export const PERMISSION_FAULTS = {
  permission_closed: 'this is not asked, or was answered',
  permission_mismatch: 'this is not the digest of what is asked now',
  permission_too_long: 'the call is too long to be shown, so that it can only be refused',
  permission_not_exact:
    'no rule names just this call, so that it can be allowed once only: a rule is for one plain command of Bash',
} as const

/** An answer holds for what was shown alone, and nobody allows what was not shown whole. */
export function permissionFault(
  { permissions }: Permissions,
  { request, digest, approved, always }: Omit<PermissionAnswer, 'message' | 'answers'>,
): keyof typeof PERMISSION_FAULTS | undefined {
  const asked = permissions.find((each) => each.request === request)
  if (!asked) return 'permission_closed'
  if (asked.digest !== digest) return 'permission_mismatch'
  if (approved && !asked.isWhole) return 'permission_too_long'
  return always && !asked.always ? 'permission_not_exact' : undefined
}

/** The rule that allows just this command in this folder, if a person has made it. */
export function standingRule(
  { rules }: Rules,
  { tool, pattern, folder: place }: Pick<StandingRule, 'tool' | 'pattern' | 'folder'>,
): StandingRule | undefined {
  return rules.find(
    (rule) => rule.tool === tool && rule.pattern === pattern && rule.folder === place,
  )
}

/** A rule is made of what is asked now, and of nothing else. */
export function requireAsked(
  state: Permissions & Rules,
  { request, tool, pattern, folder: place }: AddedRule,
): Refusal | undefined {
  const asked = state.permissions.find((each) => each.request === request)
  const { always } = asked ?? {}
  const isAsked = always?.tool === tool && always.pattern === pattern && asked?.folder === place
  return isAsked ? requireRuleRoom(state) : refuse('this is not what is asked now')
}

export function requireRuleRoom({ rules }: Rules): Refusal | undefined {
  if (rules.length < STANDING_RULES_MAX) return undefined
  return { refused: 'limit', detail: `${STANDING_RULES_MAX} rules stand: remove one first` }
}

export function addRule(
  state: TeamState,
  { request: _, ...rule }: AddedRule,
  { ts }: Pick<Fact, 'ts'>,
): TeamState {
  return { ...state, rules: [...state.rules, { ...rule, ts }] }
}

export function requireRule({ rules }: Rules, id: string): Refusal | undefined {
  return rules.some((rule) => rule.id === id) ? undefined : refuse('this rule does not stand')
}

export function removeRule(state: TeamState, id: string): TeamState {
  return { ...state, rules: state.rules.filter((rule) => rule.id !== id) }
}

export function closePermission(state: TeamState, request: string): TeamState {
  return { ...state, permissions: state.permissions.filter((each) => each.request !== request) }
}
