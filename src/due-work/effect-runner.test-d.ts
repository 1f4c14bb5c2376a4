import type { EffectRunner, EffectRunners } from './index.ts'

interface Incident {
  readonly pages: number
}
interface Receipt {
  readonly pager: string
}
declare const receipt: Receipt

// What an interface describes is the data of an outcome as it is.
const page: EffectRunner<Incident> = { run: () => ({ type: 'paged', data: receipt }) }
const typed: EffectRunner<Incident, Receipt, { type: 'paged'; data: Receipt }> = {
  run: async ({ input }) => ({ type: 'paged', data: input }),
}

/** Runners by the names of their effects, as the domain's user gives them. */
export const runners: EffectRunners<Incident> = {
  page,
  // @ts-expect-error a runner gives an event
  mail: { run: () => ({ data: receipt }) },
}

// @ts-expect-error a runner of known events gives one of them
typed.run = () => ({ type: 'mailed', data: receipt })
