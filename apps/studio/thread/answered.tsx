import type { AnsweredItem, Json, Wait } from 'throughline/client'
import { membersOf, textOf } from 'throughline/client'
import { ActorMark, time } from '../../kit/index.ts'
import { jsonText } from './json-text.ts'
import styles from './run.module.css'
import { WORDS } from './words.ts'

/** A person's recorded answer. */
export function Answered({ item: { ts, answers } }: { readonly item: AnsweredItem }) {
  return (
    <div className={styles.answered}>
      <p className={styles.line}>
        <ActorMark actor="person" />
        {WORDS.answered.recorded(time(ts))}
      </p>
      <ul className={styles.answers}>
        {answers.flatMap(({ wait, values }) =>
          linesOf(wait, values).map((line) => <li key={`${wait.id} ${line}`}>{line}</li>),
        )}
      </ul>
    </div>
  )
}

function linesOf(wait: Wait, values: Json): readonly string[] {
  const { reason, toolName, requestKeys } = wait
  if (values === null) return [WORDS.answered.givenUp(toolName)]
  const given = membersOf(values)
  if (reason === 'tool_approval') {
    const approved = given['approved'] === true
    const verdict = approved ? WORDS.answered.approved(toolName) : WORDS.answered.refused(toolName)
    const why = textOf(values, 'reason')
    return why === '' ? [verdict] : [WORDS.answered.because(verdict, why)]
  }
  return Object.entries(requestKeys).map(([key, label]) =>
    WORDS.answered.value(label, jsonText(given[key] ?? null)),
  )
}
