import { number } from '../../../kit/index.ts'
import type { ShownArtifact, TeamView, Write } from './team-view.ts'

export interface TeamDocument extends ShownArtifact {
  /** How often it was written. */
  readonly versions: number
  /** The writes that are known, the newest first. */
  readonly writes: readonly Write[]
  readonly newest: Write | undefined
  /** It was written first in the session that is open. */
  readonly isFresh: boolean
}

/** The team's documents with what is known of their versions, the newest first. */
export function documentsOf({ artifacts, writes, session }: TeamView): readonly TeamDocument[] {
  const since = session?.startedAt ?? Infinity
  return artifacts.map((artifact) => {
    const own = writes.filter(({ filename }) => filename === artifact.filename).toReversed()
    const isFresh = own.some(({ isNew, ts }) => isNew && ts >= since)
    return { ...artifact, versions: Math.max(1, own.length), writes: own, newest: own[0], isFresh }
  })
}

export function kindsOf(
  documents: readonly ShownArtifact[],
): readonly { readonly category: string; readonly count: number }[] {
  const kinds = [...new Set(documents.map(({ category }) => category))]
  return kinds.map((category) => ({
    category,
    count: documents.filter((each) => each.category === category).length,
  }))
}

export function sizeInWords(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${number(Math.round(bytes / 100) / 10)} kB`
}
