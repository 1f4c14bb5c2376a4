import { Pause, Play } from 'lucide'
import { useContext } from 'react'
import { Button, Icon } from '../kit/index.ts'
import { densityOf, nearestRow } from './scrub.ts'
import styles from './scrubber.module.css'
import type { Told } from './story/index.ts'
import { ThreadContext } from './thread-context.ts'
import { SPEEDS, usePlayback } from './use-playback.ts'
import { WORDS } from './words.ts'

export interface ScrubberProps {
  /** The rows of the timeline, oldest first. */
  readonly rows: readonly Told[]
  /** The last record of the thread. */
  readonly head: number
  readonly selected: number | undefined
  readonly onSelect: (seq: number) => void
  /** Selects a record of another window. */
  readonly onJump: (seq: number) => void
}

/** Moves through the whole thread: by hand, or as it happened, with its waits cut short. */
export function Scrubber({ rows, head, selected, onSelect, onJump }: ScrubberProps) {
  const { story, description } = useContext(ThreadContext)
  const at = selected ?? head
  const playback = usePlayback(rows, { at: selected, onSelect })
  const { isPlaying, speed, skipsWaits } = playback
  const move = (value: number): void => {
    const [first, last] = [story[0]?.record.seq ?? 0, story.at(-1)?.record.seq ?? head]
    if (value < first || value > last) return onJump(value)
    const found = nearestRow(rows, { at, value })
    if (found !== undefined) onSelect(found)
  }
  const density = densityOf(rows, head)
  const chapters = description.chapters?.(story) ?? []
  const label = isPlaying ? WORDS.scrub.pause : WORDS.scrub.play
  return (
    <div className={styles.scrub} role="group" aria-label={WORDS.scrub.label}>
      <Button look="quiet" onClick={playback.toggle}>
        <Icon shape={isPlaying ? Pause : Play} /> {label}
      </Button>
      <output className={styles.place}>{WORDS.scrub.place(at, head)}</output>
      <div className={styles.track}>
        <svg
          className={styles.density}
          viewBox={`0 0 ${density.length} 1`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {density.map((share, x) => (
            <rect key={x} x={x + 0.1} y={1 - share} width={0.8} height={share} />
          ))}
        </svg>
        {chapters.map(({ from }) => (
          <i key={from} className={styles.tick} style={{ insetInlineStart: placeOf(from, head) }} />
        ))}
        <input
          type="range"
          className={styles.range}
          min={0}
          max={Math.max(0, head)}
          value={at}
          aria-label={WORDS.scrub.range}
          aria-valuetext={WORDS.scrub.place(at, head)}
          onChange={(event) => move(Number(event.target.value))}
        />
      </div>
      <label className={styles.choice}>
        <input type="checkbox" checked={skipsWaits} onChange={playback.toggleWaits} />
        {WORDS.scrub.skip}
      </label>
      <label className={styles.choice}>
        {WORDS.scrub.speed}
        <select value={speed} onChange={(event) => playback.setSpeed(Number(event.target.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {WORDS.scrub.times(each)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function placeOf(seq: number, head: number): string {
  return `${(seq / Math.max(1, head)) * 100}%`
}
