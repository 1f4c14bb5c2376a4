import { Approval, Card, ShownText, inBackground } from '../../kit/index.ts'
import styles from './team.module.css'
import { tell } from './team-requests.ts'
import type { Permission } from './use-team.ts'
import { questionsOf } from './asked-questions.ts'
import { factsOf } from './permission-facts.ts'
import { QuestionForm } from './question-form.tsx'
import { WORDS } from './words.ts'

/** The calls that the program wants allowed. It waits until a person answers. */
export function NeedsYou({ permissions }: { readonly permissions: readonly Permission[] }) {
  if (permissions.length === 0) return null
  return (
    <section className={styles.needs} aria-label={WORDS.needsYou.heading}>
      {permissions.map((permission) => {
        const questions = permission.isWhole ? questionsOf(permission) : []
        return questions.length > 0 ? (
          <Card key={permission.request} title={WORDS.questions.heading}>
            <QuestionForm permission={permission} questions={questions} />
          </Card>
        ) : (
          <ToolApproval key={permission.request} permission={permission} />
        )
      })}
    </section>
  )
}

function ToolApproval({ permission }: { readonly permission: Permission }) {
  return (
    <Approval
      question={WORDS.needsYou.question(permission.toolName)}
      facts={factsOf(permission.input).map(({ name, value }) => ({
        name,
        value: <ShownText text={value} />,
      }))}
      reasons={[
        { key: 'asked', by: 'model', text: WORDS.needsYou.reason },
        ...(permission.isWhole
          ? []
          : [{ key: 'cut', by: 'rule', text: WORDS.needsYou.tooLong } as const]),
      ]}
      no={WORDS.needsYou.no}
      {...(permission.isWhole && { yes: WORDS.needsYou.yes })}
      onAnswer={(answer) => {
        const { request, digest } = permission
        inBackground(tell('/api/permissions', { request, digest, approved: answer === 'yes' }))
      }}
    />
  )
}
