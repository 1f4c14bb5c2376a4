import { unknownMember } from '../json/index.ts'
import type { KnownMembers } from '../json/index.ts'
import type { AnswerPermission, Role, RoleView } from './role.ts'

const ROLE_PARTS: KnownMembers<Role<never>> = {
  read: true,
  reveal: true,
  lists: true,
  propose: true,
  run: true,
  begin: true,
  answer: true,
  cancel: true,
}
const VIEW_PARTS: KnownMembers<RoleView<never>> = { state: true, record: true }
const ANSWER_PARTS: KnownMembers<AnswerPermission> = {
  approvals: true,
  questions: true,
  clientTools: true,
}

/** Names a part of a role that there is not: a permission that is written wrong must not be lost. */
export function unknownPartOfRole<State>(declared: Role<State>): string | undefined {
  const unknown = unknownMember(declared, ROLE_PARTS)
  if (unknown !== undefined) return unknown
  const { read, answer } = declared
  return (
    (typeof read === 'object' ? within('read', unknownMember(read, VIEW_PARTS)) : undefined) ??
    (typeof answer === 'object' ? within('answer', unknownMember(answer, ANSWER_PARTS)) : undefined)
  )
}

function within(part: string, why: string | undefined): string | undefined {
  return why === undefined ? undefined : `its \`${part}\`: ${why}`
}
