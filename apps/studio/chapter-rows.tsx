import { useContext } from 'react'
import { day, duration } from '../kit/index.ts'
import type { Chapter } from './description.ts'
import { RecordRow } from './record-row.tsx'
import type { WatchedValue } from './record-row.tsx'
import type { Told } from './story/index.ts'
import styles from './record.module.css'
import { ThreadContext } from './thread-context.ts'
import type { WatchedPath } from './use-watched.ts'
import { stepAt } from './watched.ts'
import { WORDS } from './words.ts'

export interface ChapterRowsProps {
  /** All rows of the view. */
  readonly rows: readonly Told[]
  /** The items of this page. */
  readonly drawn: readonly Told[]
  readonly chapters: readonly Chapter[]
  readonly selected: number | undefined
  readonly watched: readonly WatchedPath[]
  readonly onSelect: (seq: number) => void
}

/** Rows under the chapter that they belong to; a thread without chapters is one. */
export function ChapterRows(props: ChapterRowsProps) {
  const { rows, drawn, chapters, selected, watched, onSelect } = props
  const { personalData } = useContext(ThreadContext)
  const parts = chapters.length === 0 ? [undefined] : chapters
  return parts.map((chapter) => {
    const own = drawn.filter(isIn(chapter))
    const [first] = own
    if (!first) return null
    const begun = day(first.record.ts)
    return (
      <section key={chapter?.from ?? 'thread'}>
        <h2 className={styles.chapter}>
          <span>{chapter?.title ?? WORDS.chapters.thread}</span>
          <span className={styles.size}>
            {begun}, {WORDS.chapters.records(rows.filter(isIn(chapter)).length)}
            {chapter && `, ${duration(chapter.tookMs)}`}
          </span>
        </h2>
        <ol className={styles.rows}>
          {own.map((told) => (
            <RecordRow
              key={told.record.seq}
              told={told}
              day={begun}
              current={told.record.seq === selected}
              personalData={personalData}
              watched={valuesAt(watched, told.record.seq)}
              onSelect={onSelect}
            />
          ))}
        </ol>
      </section>
    )
  })
}

function valuesAt(watched: readonly WatchedPath[], seq: number): readonly WatchedValue[] {
  return watched.map(({ path, steps }) => {
    const step = stepAt(steps, seq)
    return { path, text: step?.text ?? WORDS.watch.absent, isSet: step?.seq === seq }
  })
}

function isIn(chapter: Chapter | undefined): (told: Told) => boolean {
  if (!chapter) return () => true
  return ({ record: { seq } }) => seq >= chapter.from && seq <= chapter.to
}
