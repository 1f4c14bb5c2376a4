import { sideOf, whoOf } from '../broker/audit/who.ts'
import type { Told } from '../broker/audit/story.ts'
import { ActorShape, actorOf, dateTime, withoutLinks } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import { FileSection } from './file-section.tsx'
import { RecordLink } from './record-link.tsx'
import styles from './case-file.module.css'
import recordStyles from './record.module.css'
import { WORDS } from './words.ts'

const WORDED = WORDS.transcript

/** The latest messages that are listed. */
const MESSAGES_MAX = 200

export interface TranscriptSectionProps {
  readonly story: readonly Told[]
  readonly sides: AuditQuery['sides']
  readonly onSelect: (seq: number) => void
}

/** The messages of the chosen sides, as people read them. */
export function TranscriptSection({ story, sides, onSelect }: TranscriptSectionProps) {
  const said = story.filter(
    ({ kind, by }) => kind === 'message' && (sides.length === 0 || sides.includes(sideOf(by))),
  )
  return (
    <FileSection title={WORDED.title(said.length)} wanted="closed">
      {() => (
        <>
          {said.length > MESSAGES_MAX && <p>{WORDED.latest(MESSAGES_MAX)}</p>}
          <ol className={styles.items}>
            {said.slice(-MESSAGES_MAX).map(({ record, by, whole }) => (
              <li key={record.seq} className={styles.item}>
                <p className={styles.speaker}>
                  <span className={recordStyles.who}>
                    <ActorShape actor={actorOf(by.source)} />
                    {whoOf(by)}
                  </span>
                  <RecordLink seq={record.seq} onSelect={onSelect}>
                    {WORDS.file.recordOf(record.seq)}
                  </RecordLink>
                  <time className={recordStyles.time} dateTime={new Date(record.ts).toISOString()}>
                    {dateTime(record.ts)}
                  </time>
                </p>
                <p className={recordStyles.whole} dir="auto">
                  {withoutLinks(whole ?? '')}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </FileSection>
  )
}
