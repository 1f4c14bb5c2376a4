import { FIRM } from './firm.ts'

/** How people reach the firm, and how long it lets them wait; pages show nothing that is left out. */
export type FirmDetails = {
  readonly name: string
  readonly support: {
    readonly phone: string
    readonly email: string
    readonly hours: OpeningHours
  }
  readonly waits: WaitingTimes
  /** Independent help with money, free of charge. */
  readonly freeHelp: readonly FreeHelp[]
}

export type OpeningHours = {
  readonly words: string
  /** The days of the week with a person at the phone, 1 for Monday. */
  readonly days: readonly number[]
  /** HH:MM in `timeZone`. */
  readonly opens: string
  readonly closes: string
  readonly timeZone: string
}

export type WaitingTimes = {
  /** In which most lenders answer. */
  readonly lenderMinutes?: number
  /** After which a customer without an answer is to call. */
  readonly callAfterMinutes?: number
  /** From an accepted offer to the lender's hard search, in working days. */
  readonly hardSearchDays?: number
  /** From an accepted offer to the lender's agreement, in working days. */
  readonly agreementDays?: number
}

export type FreeHelp = {
  readonly name: string
  readonly website: string
  readonly phone?: string
}

/** Placeholders. A real firm gives the service its own details. */
export const DEMO_FIRM: FirmDetails = {
  name: FIRM.name,
  support: {
    phone: '0800 000 0000',
    email: 'help@clearpath.example',
    hours: {
      words: 'weekdays 9 to 5',
      days: [1, 2, 3, 4, 5],
      opens: '09:00',
      closes: '17:00',
      timeZone: 'Europe/London',
    },
  },
  waits: { lenderMinutes: 1, callAfterMinutes: 15, hardSearchDays: 2, agreementDays: 3 },
  freeHelp: [
    { name: 'StepChange Debt Charity', website: 'stepchange.org', phone: '0800 138 1111' },
    { name: 'MoneyHelper', website: 'moneyhelper.org.uk', phone: '0800 138 7777' },
    { name: 'Citizens Advice', website: 'citizensadvice.org.uk' },
  ],
}
