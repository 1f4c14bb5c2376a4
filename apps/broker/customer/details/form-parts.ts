import type { FieldError } from '../../../kit/index.ts'
import type { CaseView } from '../case-view.ts'
import type { DetailsDraft } from './draft.ts'

/** Props of each part of the form. */
export interface PartProps {
  readonly draft: DetailsDraft
  readonly view: CaseView
  readonly errors: readonly FieldError[]
  readonly onChange: (change: Partial<DetailsDraft>) => void
}
