import type { Actor } from '../kit/index.ts'
import { ActorShape } from '../kit/index.ts'
import styles from './intro.module.css'
import { WORDS } from './words.ts'

const ACTORS: readonly Actor[] = ['person', 'model', 'rule', 'system']

/** Introduces Throughline and its kinds of actors: four marks on one line. */
export function Intro() {
  return (
    <>
      <div className={styles.hero}>
        <h1>
          <span>{WORDS.title.what}</span> <span>{WORDS.title.when}</span>
        </h1>
        <p>{WORDS.text}</p>
      </div>
      <ul className={styles.line}>
        {ACTORS.map((actor) => (
          <li key={actor}>
            <span className={styles.mark}>
              <ActorShape actor={actor} />
            </span>
            <b>{WORDS.actors[actor].name}</b>
            <p>{WORDS.actors[actor].text}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
