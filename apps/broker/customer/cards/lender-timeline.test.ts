import { expect, test } from 'vitest'
import type { LenderProgress } from '../../case/lender-progress.ts'
import type { CaseView } from '../case-view.ts'
import { lenderItems, progressItems } from './lender-timeline.ts'

const AT = '2026-11-23T10:42:00.000Z'
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const CLOCK = time.format(Date.parse(AT))

const view: CaseView = {
  sessionId: 's',
  retailerName: 'r',
  status: 'waterfall_running',
  project: {},
  contact: {},
  personal: {},
  financial: {},
  disclosures: [],
  consents: [],
  installerHandoffComplete: true,
  createdAt: '',
  updatedAt: '',
}

const asking: readonly LenderProgress[] = [
  { lender: 'First', status: 'answered', answer: 'declined', askedAt: AT, answeredAt: AT },
  { lender: 'Second', status: 'asking', askedAt: AT },
  { lender: 'Third', status: 'next' },
]

test('while lenders are asked, each one shows its answer, its turn or when its turn comes', () => {
  const items = progressItems({ ...view, submittedAt: AT, lenders: asking })
  expect(items.map(({ status, title, when }) => [status, title, when])).toEqual([
    ['done', 'Application sent', CLOCK],
    ['done', 'First', `Declined at ${CLOCK}, after a soft search`],
    ['now', 'Second is deciding', `Asked at ${CLOCK}`],
    ['later', 'Third', 'Only if Second does not lend'],
  ])
})

test('an application is called sent only once the server has recorded that', () => {
  const [confirmed] = progressItems({ ...view, status: 'quote_ready' })
  expect(confirmed).toMatchObject({ status: 'now', title: 'Sending your application' })
  const [sent] = progressItems({ ...view, status: 'submitting', submittedAt: AT })
  expect(sent).toMatchObject({ status: 'done', title: 'Application sent' })
})

test('a case of an older log names the answers without their times', () => {
  const quote = {
    amount: 1,
    termMonths: 120,
    indicativeAprPct: 1,
    monthlyPayment: 1,
    totalPayable: 1,
    capturedAt: '',
  }
  const items = lenderItems({
    ...view,
    waterfall: {
      requestedQuote: quote,
      steps: [
        { lender: 'First', position: '1', outcome: { kind: 'unavailable', reason: '' } },
        { lender: 'Second', position: '2', outcome: { kind: 'declined', reason: 'secret' } },
      ],
      awaitingCounterDecision: false,
      exhausted: true,
      updatedAt: '',
    },
  })
  expect(items.map(({ title, when }) => [title, when])).toEqual([
    ['First', 'Could not answer'],
    ['Second', 'Declined after a soft search'],
  ])
  expect(JSON.stringify(items)).not.toContain('secret')
})

test('a lender whose turn never came was not asked', () => {
  const items = lenderItems({ ...view, lenders: [{ lender: 'Third', status: 'not_asked' }] })
  expect(items).toMatchObject([{ status: 'later', title: 'Third', when: 'Not asked' }])
})
