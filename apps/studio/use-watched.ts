import { threadUrl } from '../kit/index.ts'
import { useMemo } from 'react'
import { membersOf } from 'throughline/client'
import { reasonsIn } from './changes.ts'
import { useAnswer } from './use-answer.ts'
import type { Answer } from './use-answer.ts'
import { stepsOf } from './watched.ts'
import type { WatchedStep } from './watched.ts'

export interface WatchedPath {
  readonly path: string
  readonly status: Answer['status']
  readonly steps: readonly WatchedStep[]
}

interface Watching {
  readonly thread: string
  /** Another one has the values read again. */
  readonly version: string
  readonly reveal: number | undefined
}

/** The values of the watched paths, read again as the thread grows. */
export function useWatched(paths: readonly string[], watching: Watching): readonly WatchedPath[] {
  const { thread, reveal } = watching
  const at = threadUrl(thread)
  const begins = useAnswer(paths.length === 0 ? undefined : `${at}/changes?from=0&limit=1`, {
    version: 'fixed',
    reveal,
  })
  const base = begins.status === 'answered' ? begins.value : null
  // As many as `WATCHED_MAX`: hooks cannot be called in a loop.
  const all = [
    useWatchedPath(paths[0], watching, base),
    useWatchedPath(paths[1], watching, base),
    useWatchedPath(paths[2], watching, base),
  ]
  return all.filter((watched) => watched !== undefined)
}

function useWatchedPath(
  path: string | undefined,
  { thread, version, reveal }: Watching,
  begins: Parameters<typeof membersOf>[0],
): WatchedPath | undefined {
  const query = new URLSearchParams({ path: path ?? '' })
  const url = `${threadUrl(thread)}/why?${query}`
  const answer = useAnswer(path === undefined ? undefined : url, { version, reveal })
  const value = answer.status === 'answered' ? answer.value : undefined
  const steps = useMemo(
    () =>
      path === undefined || value === undefined
        ? []
        : stepsOf(path, membersOf(begins)['base'] ?? null, reasonsIn(value)),
    [path, value, begins],
  )
  return path === undefined ? undefined : { path, status: answer.status, steps }
}
