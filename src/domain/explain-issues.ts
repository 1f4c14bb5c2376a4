import type { StandardSchemaV1 } from '@standard-schema/spec'

/** At most so many issues, and so many branches of a union, are explained. */
const ISSUES_TOLD_MAX = 5
/** At most so many of a value's choices are listed. */
const CHOICES_TOLD_MAX = 50

/** An issue with zod's additions: the choices of an enum, the issues of each branch of a union. */
type Issue = StandardSchemaV1.Issue & {
  readonly values?: readonly unknown[]
  readonly errors?: readonly (readonly StandardSchemaV1.Issue[])[]
}

/** Explains in one line where a value does not fit its schema, why, and which choices it has. */
export function explainIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues.slice(0, ISSUES_TOLD_MAX).map(explain).join('; ')
}

function explain(issue: Issue): string {
  const path = issue.path
    ?.map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.')
  return path ? `${path}: ${messageOf(issue)}` : messageOf(issue)
}

function messageOf({ message, values = [], errors = [] }: Issue): string {
  if (errors.length > 0) {
    const branches = errors.slice(0, ISSUES_TOLD_MAX).map(explainIssues)
    const reasons = branches.map((branch) => branch.replace(`${message}: `, ''))
    return `${message}: ${reasons.join(', or ')}`
  }
  const choices = values.slice(0, CHOICES_TOLD_MAX).map((value) => JSON.stringify(value))
  const isTold = choices.every((choice) => message.includes(choice))
  return isTold ? message : `${message}: one of ${choices.join(', ')}`
}
