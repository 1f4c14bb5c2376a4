import type { PermissionAnswer, TeamState } from '../events/index.ts'
import { requireRuleRoom, standingRule } from '../events/index.ts'
import type { Act } from './act.ts'
import { refusalProblem, requireShown } from './problems.ts'

/**
 * The acts that a person's answer to a request is: one that holds always makes a rule first, unless it stands.
 *
 * @throws {@link ProblemError} 409 where it was not asked so, or cannot be allowed; 429 with too many rules
 */
export function permissionActs(
  state: TeamState,
  answer: PermissionAnswer,
  ruleId: string,
): readonly Act[] {
  requireShown(state, answer)
  const { request } = answer
  const { always, folder = '' } = state.permissions.find((each) => each.request === request) ?? {}
  const answered = { type: 'permission_answered', data: answer }
  if (!answer.always || !always || standingRule(state, { ...always, folder })) return [answered]
  const refusal = requireRuleRoom(state)
  if (refusal) throw refusalProblem(refusal)
  const rule = { id: ruleId, request, ...always, folder }
  return [{ type: 'permission_rule_added', data: rule }, answered]
}
