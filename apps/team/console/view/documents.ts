import { number } from '../../../kit/index.ts'
import { LEAD_NAME } from '../../events/grid.ts'
import type { KeptWrite, ShownArtifact, TeamView, Write } from './team-view.ts'

export interface TeamDocument extends Omit<ShownArtifact, 'writes'> {
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
    const kept = (artifact.writes ?? []).map((write) => keptWrite(artifact.filename, write))
    const times = new Set(kept.map(({ ts }) => ts))
    const seen = writes.filter(
      ({ filename, ts }) => filename === artifact.filename && !times.has(ts),
    )
    const all = [...kept, ...seen].toSorted((one, other) => other.ts - one.ts)
    const isFresh = all.some(({ isNew, ts }) => isNew && ts >= since)
    return { ...artifact, versions: Math.max(1, all.length), writes: all, newest: all[0], isFresh }
  })
}

function keptWrite(filename: string, { createdAt, agentName, ...write }: KeptWrite): Write {
  return { ...write, filename, ts: Date.parse(createdAt), who: agentName ?? LEAD_NAME }
}

export function kindsOf(
  documents: readonly Pick<ShownArtifact, 'category'>[],
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
