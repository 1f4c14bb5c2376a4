import type { StandardSchemaV1 } from '@standard-schema/spec'

/** What is wrong with more places than this is told of the first ones only. */
const ISSUES_TOLD_MAX = 5

/** Says in one line where a value does not fit its schema, and why. */
export function explainIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues.slice(0, ISSUES_TOLD_MAX).map(explain).join('; ')
}

function explain(issue: StandardSchemaV1.Issue): string {
  const path = issue.path
    ?.map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.')
  return path ? `${path}: ${issue.message}` : issue.message
}
