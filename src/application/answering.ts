import { OPERATOR, SECOND_PERSON } from '../agents/index.ts'
import { isSecondPerson } from '../activity/index.ts'
import type { Wait } from '../activity/index.ts'
import { quotedNames } from '../json/index.ts'
import type { Role } from './role.ts'

/** A question with the surface that it is asked on, where its agent has one. */
export interface AskedWait {
  readonly wait: Wait
  readonly surface?: string
}

/** Who would answer: a role, with what it may, on a surface. */
export interface AnsweringRole extends Pick<Role<never>, 'answer'> {
  readonly role: string
  readonly surface: string
  /** The person, as an opaque id. */
  readonly actor?: string
  /** Stands for whoever has the role: one of them may. */
  readonly isAnyone?: true
}

/** Says why a role may not answer a question; `undefined` when it may. */
export function whyNotAnswer(asked: AskedWait, answering: AnsweringRole): string | undefined {
  const { wait } = asked
  const { role } = answering
  if (role === OPERATOR) return undefined
  if (wait.by && !wait.by.includes(role)) {
    return `"${role}" may not decide about "${wait.toolName}": only ${quotedNames(wait.by)} may`
  }
  if (!answering.isAnyone && !isSecondPerson(wait, answering.actor)) {
    return `"${role}" may not decide about "${wait.toolName}": ${SECOND_PERSON}`
  }
  if (!wait.by && !isOwnPage(asked, answering)) {
    return `"${answering.surface}" may not answer this: it is asked on another surface`
  }
  if (answers(answering, asked)) return undefined
  return `"${role}" may not answer ${WHAT[wait.reason]}: let it in its role's answer, or ask in one that may`
}

/** Whether a role may answer approvals of a tool. */
export function approves({ answer }: Pick<Role<never>, 'answer'>, toolName: string): boolean {
  if (typeof answer !== 'object') return answer ?? false
  const { approvals = false } = answer
  return typeof approvals === 'boolean' ? approvals : approvals.includes(toolName)
}

const WHAT: Readonly<Record<Wait['reason'], string>> = {
  tool_approval: 'this approval',
  input_required: 'questions',
  client_tool: 'for the page of another',
}

/** Without a surface, anybody who may answer has the page that was asked. */
function isOwnPage({ surface }: AskedWait, answering: AnsweringRole): boolean {
  return surface === undefined || surface === answering.surface
}

function answers(answering: AnsweringRole, { wait, surface }: AskedWait): boolean {
  const { answer, role } = answering
  if (wait.reason === 'tool_approval') return approves(answering, wait.toolName)
  const covered = typeof answer === 'object' ? answer : { questions: answer, clientTools: answer }
  if (wait.reason === 'input_required') return covered.questions ?? false
  // The page that asked runs its own tools, whatever its role may answer.
  const isAsker = surface !== undefined || wait.asker?.role === role
  return isAsker || (covered.clientTools ?? false)
}
