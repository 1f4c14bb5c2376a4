import { z } from 'zod'
import { defineDomain } from '../../src/domain/index.ts'

export interface Errand {
  readonly asked: boolean
  readonly submitted: boolean
  readonly paged: boolean
  readonly sent: boolean
  readonly rung: boolean
  readonly alarmAt?: number
}

const { event, domain } = defineDomain<Errand>()
const nothing = z.strictObject({})
const ui = [{ source: 'ui' }] as const
const system = [{ source: 'system' }] as const

/** A click asks for a page, a submitting rule for a letter, and an alarm rings at its time. */
export const errand = domain({
  name: 'errand',
  initial: { asked: false, submitted: false, paged: false, sent: false, rung: false },
  events: {
    set_alarm: event({
      schema: z.strictObject({ at: z.number() }),
      by: ui,
      reduce: (state, { at }) => ({ ...state, alarmAt: at }),
    }),
    ask: event({ schema: nothing, by: ui, reduce: (state) => ({ ...state, asked: true }) }),
    remark: event({ schema: nothing, by: [{ source: 'model' }], reduce: (state) => state }),
    submit: event({
      schema: nothing,
      by: [{ source: 'rule' }],
      reduce: (state) => ({ ...state, submitted: true }),
    }),
    paged: event({ schema: nothing, by: system, reduce: (state) => ({ ...state, paged: true }) }),
    sent: event({ schema: nothing, by: system, reduce: (state) => ({ ...state, sent: true }) }),
    rung: event({ schema: nothing, by: system, reduce: (state) => ({ ...state, rung: true }) }),
  },
  rules: [
    {
      name: 'R1',
      submits: true,
      propose: ({ asked, submitted }) =>
        asked && !submitted ? [{ type: 'submit', data: {} }] : [],
    },
  ],
  effects: [
    { name: 'page', due: (s) => s.asked && !s.paged && { key: 'page 1', input: {} } },
    { name: 'send', due: (s) => s.submitted && !s.sent && { key: 'letter 1', input: {} } },
  ],
  deadlines: [
    {
      name: 'ring',
      due: ({ alarmAt, rung }) =>
        alarmAt !== undefined &&
        !rung && { at: alarmAt, key: 'alarm 1', propose: { type: 'rung', data: {} } },
    },
  ],
})
