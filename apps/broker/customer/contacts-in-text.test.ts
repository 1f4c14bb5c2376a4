import { expect, test } from 'vitest'
import { declineSignposting } from '../disclosures/decline-signposting.ts'
import { DEMO_FIRM } from '../disclosures/firm-details.ts'
import { contactsInText } from './contacts-in-text.ts'

const { freeHelp } = DEMO_FIRM

test('every helpline of the approved text leads to its phone or website, and no letter is lost', () => {
  const pieces = contactsInText(declineSignposting.body, freeHelp)
  expect(pieces.map(({ text }) => text).join('')).toBe(declineSignposting.body)
  expect(pieces.flatMap(({ href }) => href ?? [])).toEqual([
    'tel:08001381111',
    'https://www.stepchange.org',
    'tel:08001387777',
    'https://www.moneyhelper.org.uk',
    'https://www.citizensadvice.org.uk',
  ])
})

test('a text without contacts is one piece', () => {
  expect(contactsInText('Nothing here', freeHelp)).toEqual([{ text: 'Nothing here' }])
})
