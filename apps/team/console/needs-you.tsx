import { Approval, ShownText, inBackground } from '../../kit/index.ts'
import styles from './team.module.css'
import { tell } from './team-requests.ts'
import type { Permission } from './use-team.ts'
import { factsOf } from './permission-facts.ts'
import { WORDS } from './words.ts'

/** The calls that the program wants allowed. It waits until a person answers. */
export function NeedsYou({ permissions }: { readonly permissions: readonly Permission[] }) {
  if (permissions.length === 0) return null
  return (
    <section className={styles.needs} aria-label={WORDS.needsYou.heading}>
      {permissions.map((permission) => (
        <Approval
          key={permission.request}
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
      ))}
    </section>
  )
}
