import { chaptersOf } from '../audit/chapters.ts'
import { retellCase } from '../audit/case-story.ts'
import { MEMBER_WORDS } from '../audit/member-words.ts'
import { RULES } from '../audit/rule-words.ts'
import { sideOf } from '../audit/sides.ts'
import { CASE_TELLINGS } from '../audit/tellings.ts'
import { valueInWords } from '../audit/values.ts'
import { TranscriptPane } from '../../studio/index.ts'
import type { ThreadDescription } from '../../studio/index.ts'
import { CaseFilePane, CaseReplayPane, CaseStatePane } from './case-file-panes.tsx'
import { CaseTitle } from './case-title.tsx'
import { ShownTextDetails } from './shown-text-view.tsx'
import { WORDS } from './words.ts'

/** The audit page's description of a broker's case. */
export const caseDescription: ThreadDescription = {
  tellings: CASE_TELLINGS,
  retell: retellCase,
  revealedBy: 'reveal_personal_data',
  erasable: true,
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
