import { expect, test } from 'vitest'
import type { CaseView } from '../case-view.ts'
import { checkDraft } from './check-draft.ts'
import { EMPTY_DRAFT } from './draft.ts'
import {
  checkPosition,
  countOf,
  errorsIn,
  firstForm,
  partOf,
  positionAfter,
  positionIn,
} from './parts.ts'

const TODAY = new Date('2026-11-20T12:00:00Z')
const wrong = (field: string) => [{ field, message: 'wrong' }]

const view: CaseView = {
  sessionId: 's',
  retailerName: 'r',
  status: 'quote_ready',
  project: {},
  contact: { firstName: 'Sarah', mobile: '07700 900 123' },
  personal: {},
  financial: {},
  disclosures: [],
  consents: [],
  installerHandoffComplete: true,
  createdAt: '',
  updatedAt: '',
}

const complete: CaseView = {
  ...view,
  personal: {
    fullName: 'Sarah Jones',
    dateOfBirth: '1984-03-02',
    postcode: 'SW1A 1AA',
    addressLine1: '1 High Street',
    town: 'London',
  },
  financial: { employmentStatus: 'Employed', annualIncome: 42_000, monthlyOutgoings: 1_400 },
}

test('every field of the form belongs to one part', () => {
  for (const field of Object.keys(EMPTY_DRAFT))
    expect([field, partOf(field)]).not.toContain(undefined)
  expect(partOf('somewhere')).toBeUndefined()
})

test('[surfaces 10] the error summary of a part lists the errors of that part only', () => {
  const errors = checkDraft(EMPTY_DRAFT, TODAY)
  const fields = (part: 'about' | 'home' | 'money') =>
    errorsIn(part, errors).map(({ field }) => field)
  expect(fields('about')).toEqual(['fullName', 'birthDay', 'mobile'])
  expect(fields('home')).toEqual(['postcode', 'addressLine1', 'town'])
  expect(fields('money')).toEqual(['employmentStatus', 'annualIncome', 'monthlyOutgoings'])
})

test('the parts follow one another and lead to the check page', () => {
  expect(positionAfter({ place: 'about', from: 'form' }, [])).toEqual({
    place: 'home',
    from: 'form',
  })
  expect(positionAfter({ place: 'home', from: 'form' }, [])).toEqual({
    place: 'money',
    from: 'form',
  })
  expect(positionAfter({ place: 'money', from: 'form' }, [])).toEqual({
    place: 'check',
    from: 'form',
  })
})

test('[surfaces 11] a change that began on the check page returns to it', () => {
  for (const place of ['about', 'home', 'money'] as const) {
    expect(positionAfter({ place, from: 'check' }, [])).toEqual({ place: 'check', from: 'form' })
  }
})

test('the check page is not shown while a part has an error', () => {
  expect(positionAfter({ place: 'money', from: 'form' }, wrong('postcode')).place).toBe('home')
  expect(positionAfter({ place: 'home', from: 'check' }, wrong('fullName'))).toEqual({
    place: 'about',
    from: 'check',
  })
})

test('[surfaces 12] a kept form opens where the customer left it', () => {
  const kept = { ...firstForm(view), place: 'money', from: 'check' }
  expect(positionIn(kept)).toEqual({ place: 'money', from: 'check' })
  expect(positionIn({ ...kept, place: 'nowhere', from: '' })).toEqual({
    place: 'about',
    from: 'form',
  })
})

test('[surfaces 11] a form that was saved opens at its check page, or at the field to change', () => {
  expect(positionIn(firstForm(view)).place).toBe('about')
  expect(positionIn(firstForm(complete)).place).toBe('check')
  expect(positionIn(firstForm(complete), 'town')).toEqual({
    place: 'home',
    from: 'check',
    field: 'town',
  })
})

test('[surfaces 11] the check page gives way to the first part that has an error since', () => {
  expect(checkPosition([])).toEqual({ place: 'check', from: 'form' })
  expect(checkPosition(wrong('town'))).toEqual({ place: 'home', from: 'form' })
})

test('the parts are counted with the check page', () => {
  expect(countOf('about')).toEqual({ part: 1, of: 4 })
  expect(countOf('check')).toEqual({ part: 4, of: 4 })
})
