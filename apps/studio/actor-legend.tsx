import { ActorShape } from '../kit/index.ts'
import { ACTORS } from './audit-query.ts'
import styles from './studio.module.css'
import { WORDS } from './words.ts'

/** The legend of the marks beside the records. */
export function ActorLegend() {
  return (
    <div className={styles.legend}>
      <span id="marks">{WORDS.marks.label}</span>
      <ul className={styles.marks} aria-labelledby="marks">
        {ACTORS.map((actor) => (
          <li key={actor} className={styles.mark}>
            <ActorShape actor={actor} />
            {WORDS.marks.of[actor]}
          </li>
        ))}
      </ul>
    </div>
  )
}
