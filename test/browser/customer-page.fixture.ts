import type { Page } from 'playwright-core'

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' })

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** The page is at rest: nothing is being sent or written. */
export const settled = (page: Page) =>
  page
    .getByRole('button', { name: 'Send', exact: true })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor()

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
