import { chaptersOf } from '../broker/audit/chapters.ts'
import { retellCase } from '../broker/audit/case-story.ts'
import { MEMBER_WORDS } from '../broker/audit/member-words.ts'
import { RULES } from '../broker/audit/rule-words.ts'
import { sideOf } from '../broker/audit/sides.ts'
import { CASE_TELLINGS } from '../broker/audit/tellings.ts'
import { valueInWords } from '../broker/audit/values.ts'
import { CaseFilePane, CaseReplayPane, CaseStatePane } from './case-file-panes.tsx'
import { CaseTitle } from './case-title.tsx'
import type { ThreadDescription } from './description.ts'
import { ShownTextDetails } from './shown-text-view.tsx'
import { TranscriptPane } from './transcript-pane.tsx'
import { WORDS } from './case-words.ts'

/** How the cases of the broker read to an auditor. */
export const caseDescription: ThreadDescription = {
  tellings: CASE_TELLINGS,
  retell: retellCase,
  sides: { of: sideOf, words: WORDS.sides },
  chapters: (story) =>
    chaptersOf(story).map(({ name, ...rest }) => ({ ...rest, title: WORDS.chapters[name] })),
  rules: RULES,
  memberWords: MEMBER_WORDS,
  valueInWords,
  file: (thread) => `/api/audit/${encodeURIComponent(thread)}`,
  fileName: WORDS.file.name,
  Title: CaseTitle,
  panes: [CaseFilePane, TranscriptPane, CaseStatePane, CaseReplayPane],
  Details: ShownTextDetails,
}
