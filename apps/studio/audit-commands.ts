import type { IconNode } from 'lucide'
import { ArrowDownToLine, FolderOpen, FunnelX, Hash, List, ListFilter, Users } from 'lucide'
import type { Command } from '../kit/index.ts'
import { goTo } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, writeQuery } from './audit-query.ts'
import type { Pane } from './pane-choice.tsx'
import { firstWords } from './story/index.ts'
import type { Told } from './story/index.ts'
import { WORDS } from './words.ts'

/** The characters of a record's sentence that the palette shows and searches. */
const SENTENCE_MAX = 280
const WORDED = WORDS.palette

export interface AuditedThread {
  readonly thread: string
  readonly story: readonly Told[]
  readonly query: AuditQuery
  readonly fileName: string | undefined
  /** The commands that lead to other pages. */
  readonly places: () => readonly Command[]
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onChoose: (pane: Pane) => void
  readonly onSelect: (seq: number) => void
}

/** The commands of the audit page: choose a view, open another page, select a record. */
export function auditCommands(audited: AuditedThread): readonly Command[] {
  const { thread, story, places, onSelect } = audited
  const records = story.map(({ record: { seq }, sentences }): Command => ({
    group: WORDED.records,
    label: WORDED.record(seq, firstWords(sentences.join(' '), SENTENCE_MAX)),
    icon: Hash,
    run: () => onSelect(seq),
  }))
  const agents = goTo(`/threads/${encodeURIComponent(thread)}`, {
    label: WORDED.agents,
    icon: Users,
  })
  return [
    ...viewCommands(audited),
    ...(story.some(isRunOfAgents) ? agents : []),
    ...places(),
    ...records,
  ]
}

/** The page of agents shows runs without a surface. */
function isRunOfAgents({ record: { type, origin } }: Told): boolean {
  return type === 'RUN_STARTED' && origin.surface === undefined
}

function viewCommands(audited: AuditedThread): readonly Command[] {
  const { story, query, fileName = WORDS.file.name, onAsk, onChoose } = audited
  const { filters, state } = WORDS
  const showTimeline = (change: Partial<AuditQuery>) => () => {
    onAsk(change)
    onChoose('timeline')
  }
  const act = (label: string, icon: IconNode, run: () => void): Command => ({
    group: WORDED.acts,
    label,
    icon,
    run,
  })
  const isFiltered = writeQuery({ ...query, ...NO_FILTERS }) !== writeQuery(query)
  return [
    // A selected record that this view leaves out would bring the other one back.
    act(
      WORDED.show(filters.mattered(inView(story, 'mattered').length)),
      ListFilter,
      showTimeline({ view: 'mattered', ev: undefined }),
    ),
    act(WORDED.show(filters.all(story.length)), List, showTimeline({ view: 'all' })),
    act(WORDED.file(fileName), FolderOpen, () => onChoose('file')),
    ...(isFiltered ? [act(filters.clear, FunnelX, showTimeline(NO_FILTERS))] : []),
    ...(query.ev === undefined
      ? []
      : [act(state.follow, ArrowDownToLine, () => onAsk({ ev: undefined }))]),
  ]
}
