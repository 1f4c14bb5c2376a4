import { useState } from 'react'
import { Button, EmptyState, Tag } from '../../kit/index.ts'
import styles from './team.module.css'
import type { ShownArtifact } from './team-view.ts'
import { WORDS } from './words.ts'

/** Shows the team's artifacts, each in a frame that runs no script. */
export function Artifacts({ artifacts }: { readonly artifacts: readonly ShownArtifact[] }) {
  const [shown, show] = useState<string>()
  return (
    <section className={styles.section} aria-labelledby="artifacts-heading">
      <h2 id="artifacts-heading">{WORDS.artifacts.heading}</h2>
      {artifacts.length === 0 && <EmptyState>{WORDS.artifacts.none}</EmptyState>}
      <ul className={styles.rows}>
        {artifacts.map(({ filename, description, category }) => (
          <li key={filename} className={styles.row}>
            <span className={styles.grow}>
              <Button look="bare" onClick={() => show(filename)}>
                {filename}
              </Button>
              {description !== '' && <span className={styles.made}>{description}</span>}
            </span>
            <Tag tone="outline">{category}</Tag>
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <div className={styles.shown}>
          <iframe
            title={WORDS.artifacts.shown(shown)}
            className={styles.frame}
            sandbox=""
            src={`/api/artifacts/${shown.split('/').map(encodeURIComponent).join('/')}`}
          />
          <Button look="quiet" onClick={() => show(undefined)}>
            {WORDS.artifacts.close}
          </Button>
        </div>
      )}
    </section>
  )
}
