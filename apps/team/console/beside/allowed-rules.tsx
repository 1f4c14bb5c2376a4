import { useState } from 'react'
import { Button, inBackground } from '../../../kit/index.ts'
import { tell } from '../team-requests.ts'
import type { AllowedRule } from '../team-requests.ts'
import { WORDS } from '../words.ts'
import styles from './usage.module.css'

/** The calls that a person always allows here, each with a way to take that back. */
export function AllowedRules({ rules }: { readonly rules: readonly AllowedRule[] }) {
  const [fault, setFault] = useState<string>()
  if (rules.length === 0) return null
  const takeBack = async (id: string): Promise<void> =>
    setFault(await tell(`/api/permission-rules/${encodeURIComponent(id)}/remove`))
  return (
    <div className={styles.rules}>
      <h3>{WORDS.usage.rules}</h3>
      <ul>
        {rules.map(({ id, tool, pattern, folder }) => (
          <li key={id}>
            <span>
              <code dir="ltr">{`${tool}(${pattern})`}</code>{' '}
              {folder !== '' && (
                <span className={styles.meta}>
                  {WORDS.needsYou.inFolder} <code dir="ltr">{folder}</code>
                </span>
              )}
            </span>
            <Button look="quiet" onClick={() => inBackground(takeBack(id))}>
              {WORDS.usage.takeBack}
            </Button>
          </li>
        ))}
      </ul>
      {fault !== undefined && (
        <p role="alert" className={styles.fault}>
          {fault}
        </p>
      )}
    </div>
  )
}
