import { useEffect, useEffectEvent, useState } from 'react'
import { pauseBetween } from './scrub.ts'
import type { Told } from './story/index.ts'

export const SPEEDS = [1, 4, 16] as const

export interface Playback {
  readonly isPlaying: boolean
  readonly speed: number
  readonly skipsWaits: boolean
  readonly toggle: () => void
  readonly toggleWaits: () => void
  readonly setSpeed: (speed: number) => void
}

/** Selects the rows one after the other, at the pace at which they came. From the last one it begins anew. */
export function usePlayback(
  rows: readonly Told[],
  { at, onSelect }: { readonly at: number | undefined; readonly onSelect: (seq: number) => void },
): Playback {
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState<number>(SPEEDS[0])
  const [skipsWaits, skipWaits] = useState(true)
  const place = rows.findIndex(({ record }) => record.seq === at)
  const [row, next] = [rows[place], rows[place + 1]]
  const delay = row && next ? pauseBetween(row, next, { speed, skipsWaits }) : 0
  const goOn = useEffectEvent(() => {
    if (next) onSelect(next.record.seq)
    else play(false)
  })
  useEffect(() => {
    if (!isPlaying) return undefined
    const timer = setTimeout(goOn, delay)
    return () => clearTimeout(timer)
  }, [isPlaying, at, delay])
  const toggle = (): void => {
    const [first] = rows
    if (!isPlaying && !next && first) onSelect(first.record.seq)
    play(!isPlaying)
  }
  return {
    isPlaying,
    speed,
    skipsWaits,
    toggle,
    toggleWaits: () => skipWaits(!skipsWaits),
    setSpeed,
  }
}
