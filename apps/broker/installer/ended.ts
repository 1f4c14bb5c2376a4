import type { InstallerCase } from '../case/case-view.ts'
import type { CaseStatus } from '../case/state.ts'

const ENDED: readonly CaseStatus[] = ['declined', 'ineligible', 'withdrawn', 'complete']

export function isEnded({ status }: InstallerCase): boolean {
  return ENDED.includes(status)
}
