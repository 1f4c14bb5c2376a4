import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Checks a page, and knows the texts that were entered into it. */
interface Looker {
  readonly page: Page
  see(name: string): Promise<void>
  gives(...texts: readonly string[]): void
}

/** Waits for another card than the one that stood there. */
export async function nextCard(page: Page, act: () => Promise<unknown>): Promise<void> {
  const heading = page.locator('[data-card-heading]').first()
  const before = await heading.textContent()
  await act()
  await expect.poll(() => heading.textContent()).not.toBe(before)
}

/** Looks at each part of the application form, filled in, and at its answers. */
export async function seeDetails(seen: Looker): Promise<void> {
  const { page } = seen
  const submit = page.locator('form button[type=submit]').first()
  const fill = async (...fields: readonly (keyof typeof TYPED)[]): Promise<void> => {
    for (const field of fields) await page.locator(`#${field}`).fill(TYPED[field])
  }
  seen.gives(...Object.values(TYPED))
  await page.locator('#fullName').fill('')
  await submit.click()
  await seen.see('details-about')
  await fill('fullName', 'birthDay', 'birthDay-month', 'birthDay-year')
  await nextCard(page, () => submit.click())
  await page.locator('#postcode').fill('SW1A 1AA')
  await page.locator('main button').first().click()
  const found = page.locator('main fieldset label')
  await found.first().waitFor()
  seen.gives(...(await found.allTextContents()))
  await seen.see('details-home')
  await page.locator('main input[type=radio]').first().check()
  await page.locator('#propertyType').selectOption('Terraced')
  await nextCard(page, () => submit.click())
  await page.locator('main input[type=radio]').first().check()
  await fill('annualIncome', 'monthlyOutgoings', 'existingCommitments')
  seen.gives(...Object.values(TYPED))
  await seen.see('details-money')
  await nextCard(page, () => submit.click())
  const address = await page.locator('dd').allTextContents()
  seen.gives('2. März 1984', ...address.filter(isAddress))
  await seen.see('check-answers')
}

const TYPED = {
  fullName: 'Sarah Jones',
  birthDay: '2',
  'birthDay-month': '3',
  'birthDay-year': '1984',
  annualIncome: '42000',
  monthlyOutgoings: '1400',
  existingCommitments: 'A car loan until 2028',
}

const isAddress = (text: string) => text.includes('SW1A 1AA')
