import type { FirmDetails } from './firm-details.ts'

/** By which days the next steps are done, as YYYY-MM-DD; a step without a waiting time has none. */
export type NextSteps = {
  readonly hardSearchBy?: string
  readonly agreementBy?: string
}

/** Tells when what follows an accepted offer is done. Bank holidays count as working days. Pure. */
export function nextStepsAfter(acceptedAt: string, { support, waits }: FirmDetails): NextSteps {
  const { hardSearchDays, agreementDays } = waits
  const by = (days: number) =>
    workingDayAfter(acceptedAt, { days, timeZone: support.hours.timeZone })
  return {
    ...(hardSearchDays !== undefined && { hardSearchBy: by(hardSearchDays) }),
    ...(agreementDays !== undefined && { agreementBy: by(agreementDays) }),
  }
}

const DAY_MS = 86_400_000
const WEEKEND: readonly number[] = [0, 6]

function workingDayAfter(
  moment: string,
  { days, timeZone }: { readonly days: number; readonly timeZone: string },
): string {
  // Canada writes a date as ISO 8601 does; which day it is depends on the place.
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(moment))
  let day = Date.parse(today)
  for (let left = days; left > 0;) {
    day += DAY_MS
    if (!WEEKEND.includes(new Date(day).getUTCDay())) left--
  }
  return new Date(day).toISOString().slice(0, 10)
}
