import { useContext, useState } from 'react'
import { ChoiceField, TextField, actorOf } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import { ACTORS, TEXT_MAX, inView, isOnlyInAll } from './audit-query.ts'
import styles from './studio.module.css'
import { ThreadContext } from './thread-context.ts'
import { WORDS } from './words.ts'

export interface TimelineFiltersProps {
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
}

const WORDED = WORDS.filters

/** There the filters have a column of their own. */
const isWide = (): boolean => matchMedia('(min-width: 1200px)').matches

/** The timeline's filters: the view, who, which side, and words to find. */
export function TimelineFilters({ query, onAsk }: TimelineFiltersProps) {
  const { story, description, personalData } = useContext(ThreadContext)
  const { sides } = description
  const [mattered, shown] = [inView(story, 'mattered'), inView(story, query.view)]
  const active = query.who.length > 0 || query.sides.length > 0 || query.text !== ''
  const [facets, setFacets] = useState(active || isWide() ? 'open' : 'closed')
  return (
    <div className={styles.filters}>
      <ChoiceField
        id="view"
        kind="one"
        label={WORDED.view}
        layout="pair"
        chosen={[query.view]}
        options={[
          { value: 'mattered', label: WORDED.mattered(mattered.length) },
          { value: 'all', label: WORDED.all(story.length) },
        ]}
        onChange={([view]) =>
          view === 'all'
            ? onAsk({ view })
            : // A selected record that this view leaves out would bring the other one back.
              onAsk({ view: 'mattered', ...(isOnlyInAll(story, query) ? { ev: undefined } : {}) })
        }
      />
      <details
        open={facets === 'open'}
        onToggle={(event) => setFacets(event.currentTarget.open ? 'open' : 'closed')}
      >
        <summary className={styles.facetsName}>
          {WORDED.label({ sides: sides !== undefined })}
        </summary>
        <div className={styles.facets}>
          <ChoiceField
            id="who"
            kind="any"
            label={WORDED.who}
            chosen={query.who}
            options={ACTORS.map((actor) => {
              const count = shown.filter(({ by }) => actorOf(by) === actor).length
              return { value: actor, label: WORDED.counted(WORDS.marks.of[actor], count) }
            })}
            onChange={(chosen) => onAsk({ who: ACTORS.filter((actor) => chosen.includes(actor)) })}
          />
          {sides && (
            <ChoiceField
              id="side"
              kind="any"
              label={WORDED.side}
              chosen={query.sides}
              options={Object.entries(sides.words).map(([side, words]) => {
                const count = shown.filter(({ by }) => sides.of(by) === side).length
                return { value: side, label: WORDED.counted(words, count) }
              })}
              onChange={(chosen) => onAsk({ sides: chosen })}
            />
          )}
          <TextField
            id="text"
            label={WORDED.text}
            hint={WORDED.textHint[personalData]}
            value={query.text}
            maxLength={TEXT_MAX}
            onChange={(text) => onAsk({ text })}
          />
        </div>
      </details>
    </div>
  )
}
