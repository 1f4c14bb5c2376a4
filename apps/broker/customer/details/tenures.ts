import type { CaseView } from '../case-view.ts'
import type { DetailsDraft } from './draft.ts'
import { WORDS } from './words.ts'

/** Returns the possible tenures; an owner is not offered "Tenant". */
export function tenuresFor(
  { eligibility }: Pick<CaseView, 'eligibility'>,
  { residentialStatus }: Pick<DetailsDraft, 'residentialStatus'>,
): Readonly<Record<string, string>> {
  const { Tenant, ...others } = WORDS.residentialStatuses
  const isOwned = eligibility?.isHomeowner === true && residentialStatus !== 'Tenant'
  return isOwned ? others : { ...others, Tenant }
}
