import type { Turns } from '../../kit/index.ts'
import { ChecklistRow, time, useSheet } from '../../kit/index.ts'
import { EditFact } from './edit-fact.tsx'
import { NEEDED, neededFact } from './needed-facts.ts'
import type { Needed } from './needed-facts.ts'
import { actorFor } from './fact-list.tsx'
import type { Fact, FactSource } from './facts.ts'
import styles from './installer.module.css'
import { WORDS } from './words.ts'

export interface ChecklistProps {
  readonly facts: readonly Fact[]
  readonly turns: Turns
}

/** The six facts that the link needs. Each keeps its place, known or not, and can be typed. */
export function Checklist({ facts, turns }: ChecklistProps) {
  const names: readonly Needed[] = [...NEEDED.customer, ...NEEDED.project]
  const known = names.filter((name) => neededFact(name, facts)).length
  return (
    <section className={styles.section} aria-label={WORDS.checklist.title}>
      <div className={styles.head}>
        <h2>{WORDS.checklist.title}</h2>
        <p className={styles.hint}>{WORDS.checklist.known(known, names.length)}</p>
      </div>
      <div className={styles.meter} aria-hidden="true">
        {names.map((name, at) => (
          <span key={name} data-known={at < known} />
        ))}
      </div>
      {(['customer', 'project'] as const).map((group) => (
        <div key={group}>
          <h3>{WORDS[group]}</h3>
          <ul className={styles.checklist}>
            {NEEDED[group].map((name) => (
              <NeededRow key={name} name={name} fact={neededFact(name, facts)} turns={turns} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

interface NeededRowProps {
  readonly name: Needed
  readonly fact: Fact | undefined
  readonly turns: Turns
}

function NeededRow({ name, fact, turns }: NeededRowProps) {
  const sheet = useSheet(`edit-${name}`)
  const given = fact && { by: actorFor(fact.source), text: givenWords(fact.source) }
  return (
    <>
      <ChecklistRow
        name={WORDS.checklist.names[name]}
        status={fact ? 'known' : 'missing'}
        value={fact?.value ?? WORDS.missing}
        {...(given && { given })}
        onEdit={sheet.open}
      />
      <li className={styles.editor}>
        <EditFact name={name} sheet={sheet} turns={turns} />
      </li>
    </>
  )
}

/** Short enough for a place beside the name: a second line would move the rows below. */
function givenWords(source: FactSource): string {
  const { said, typed, workedOut } = WORDS.checklist
  if (source.from !== 'record') return workedOut
  return source.actor === 'model' ? said(time(source.ts)) : typed(time(source.ts))
}
