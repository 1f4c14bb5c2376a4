import type { IconNode } from 'lucide'
import { ArrowDownToLine, FolderOpen, FunnelX, Hash, List, ListFilter, Users } from 'lucide'
import type { Told } from '../broker/audit/story.ts'
import { firstWords } from '../broker/audit/whole-words.ts'
import { goTo, placeCommands } from '../home/place-commands.ts'
import type { Command } from '../kit/index.ts'
import type { AuditQuery } from './audit-query.ts'
import { NO_FILTERS, inView, writeQuery } from './audit-query.ts'
import type { Pane } from './pane-choice.tsx'
import { WORDS } from './words.ts'

/** The characters of a record's sentence that the palette shows and searches. */
const SENTENCE_MAX = 280
const WORDED = WORDS.palette

export interface AuditedThread {
  readonly thread: string
  readonly kind: 'case' | 'agents'
  readonly story: readonly Told[]
  readonly query: AuditQuery
  readonly onAsk: (change: Partial<AuditQuery>) => void
  readonly onChoose: (pane: Pane) => void
  readonly onSelect: (seq: number) => void
}

/** The commands of the audit page: choose a view, open another page, select a record. */
export function auditCommands(audited: AuditedThread): readonly Command[] {
  const { thread, kind, story, onSelect } = audited
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
    ...(kind === 'agents' ? agents : []),
    ...placeCommands(),
    ...records,
  ]
}

function viewCommands({ story, query, onAsk, onChoose }: AuditedThread): readonly Command[] {
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
    act(WORDED.caseFile, FolderOpen, () => onChoose('file')),
    ...(isFiltered ? [act(filters.clear, FunnelX, showTimeline(NO_FILTERS))] : []),
    ...(query.ev === undefined
      ? []
      : [act(state.follow, ArrowDownToLine, () => onAsk({ ev: undefined }))]),
  ]
}
