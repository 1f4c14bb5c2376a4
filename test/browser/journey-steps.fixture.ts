import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

export const shows = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

export async function checkAccessible(page: Page, name: string): Promise<void> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  expect(violations.map(({ id, nodes }) => [name, id, nodes[0]?.html])).toEqual([])
}

/** Each card of the clean journey, by its heading, and what the customer does with it. */
export const CARDS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['About our service', (page) => press(page, 'I understand')],
  ['Can you apply?', (page) => answerYesToAll(page)],
  ['Choose how long to repay', (page) => chooseTerm(page)],
  ['Do you want a copy by email?', (page) => press(page, 'No, thank you')],
  ['Your details', (page) => fillDetails(page)],
  ['Would any support help?', (page) => press(page, 'None of these')],
  ['Credit search consent', (page) => press(page, 'Grant consent')],
  ['Pre-contract summary', (page) => press(page, 'I confirm')],
  ['You have an offer', (page) => press(page, 'Accept this offer')],
]

async function answerYesToAll(page: Page): Promise<void> {
  for (const yes of await page.getByRole('radio', { name: 'Yes' }).all()) await yes.check()
  await press(page, 'Continue')
}

async function chooseTerm(page: Page): Promise<void> {
  await page.getByRole('radio', { name: '120 months' }).check()
  await page.getByText('£197.71').waitFor()
  await press(page, 'Use this quote')
}

export async function fillDetails(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Sarah Jones')
  for (const [part, value] of [
    ['Day', '2'],
    ['Month', '3'],
    ['Year', '1984'],
  ] as const) {
    await page.getByLabel(part, { exact: true }).fill(value)
  }
  await page.getByLabel('Postcode').fill('SW1A 1AA')
  await page.getByLabel('Address line 1').fill('1 High Street')
  await page.getByLabel('Town or city').fill('London')
  await page.getByLabel('Employment').selectOption('Employed')
  await page.getByLabel('Yearly income').fill('42000')
  await page.getByLabel('Monthly outgoings').fill('1400')
  await press(page, 'Check your answers')
  await press(page, 'Record these details')
}
