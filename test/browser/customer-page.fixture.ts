import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Finds a message in the conversation, not a link to an article with the same text. */
export const spokenMessage = (page: Page, text: string) =>
  page.getByRole('log').locator('p').filter({ hasText: text }).first()

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** The line at the bottom of the customer's page that leads to the conversation. */
export const askLine = (page: Page) => page.getByRole('button', { name: /Ask$/ })

/** Opens the conversation over the customer's card, unless it is open. */
export async function openTalk(page: Page): Promise<void> {
  if (!(await composer(page).isVisible())) await askLine(page).click()
  await composer(page).waitFor()
}

/** Closes the conversation, so that the card can be reached. */
export async function closeTalk(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
}

/** On the customer's page the conversation must be open. */
export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Asks something over the customer's card. */
export async function ask(page: Page, text: string): Promise<void> {
  await openTalk(page)
  await say(page, text)
}

/** The page is at rest: nothing is being sent or written. */
export async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.locator('button[aria-busy=true]').count()).toBe(0)
  await expect.poll(() => page.getByText('Writing an answer…').count()).toBe(0)
}

/** Chooses a way of the help menu. */
export async function chooseHelp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await page.getByRole('group', { name: 'Help and options' }).getByText(name).click()
}

/** Whether the last of these can be seen from its top to its bottom, with nothing over it. */
export async function isInView(page: Page, selector: string): Promise<boolean> {
  return page
    .locator(selector)
    .last()
    .evaluate((element) => {
      const { left, top, bottom } = element.getBoundingClientRect()
      return [top + 2, bottom - 2].every((y) => {
        const seen = document.elementFromPoint(left + 8, y)
        return seen !== null && (element.contains(seen) || seen.contains(element))
      })
    })
}
