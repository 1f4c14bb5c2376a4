import { useContext } from 'react'
import { ActorShape, actorOf, dateTime, withoutLinks } from '../kit/index.ts'
import { isOfSides } from './sides.ts'
import type { PaneProps } from './description.ts'
import { FileSection } from './file-section.tsx'
import { ItemList } from './item-list.tsx'
import { RecordLink } from './record-link.tsx'
import { whoOf } from './story/index.ts'
import styles from './file-section.module.css'
import recordStyles from './record.module.css'
import { ThreadContext } from './thread-context.ts'
import { WORDS } from './words.ts'

const WORDED = WORDS.transcript

/** The latest messages that are listed. */
const MESSAGES_MAX = 200

/** The messages of the chosen sides, as people read them. */
export function TranscriptPane({ story, query, onSelect }: PaneProps) {
  const { sides } = useContext(ThreadContext).description
  const said = story.filter(
    ({ kind, by }) => kind === 'message' && isOfSides(by, query.sides, sides),
  )
  return (
    <FileSection title={WORDED.title(said.length)} wanted="closed">
      {() => (
        <>
          {said.length > MESSAGES_MAX && <p>{WORDED.latest(MESSAGES_MAX)}</p>}
          <ItemList>
            {said.slice(-MESSAGES_MAX).map(({ record, by, whole }) => (
              <li key={record.seq}>
                <p className={styles.speaker}>
                  <span className={recordStyles.who}>
                    <ActorShape actor={actorOf(by)} />
                    {whoOf(by)}
                  </span>
                  <RecordLink seq={record.seq} onSelect={onSelect} />
                  <time className={recordStyles.time} dateTime={new Date(record.ts).toISOString()}>
                    {dateTime(record.ts)}
                  </time>
                </p>
                <p className={recordStyles.whole} dir="auto">
                  {withoutLinks(whole ?? '')}
                </p>
              </li>
            ))}
          </ItemList>
        </>
      )}
    </FileSection>
  )
}
