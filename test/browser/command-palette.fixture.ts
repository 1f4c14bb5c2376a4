import type { Page } from 'playwright-core'

/** The name of the palette's button, dialog and field. */
const NAME = 'Find or do anything'

export const paletteOn = (page: Page) => page.getByRole('dialog', { name: NAME })
export const paletteButton = (page: Page) => page.getByRole('button', { name: NAME })
export const optionsIn = (page: Page) => paletteOn(page).getByRole('option')

/** Opens the palette by its keys and types into it. */
export async function find(page: Page, text: string): Promise<void> {
  // The static page has its headings before any script listens to keys.
  await page
    .getByRole('button', { name: /Find or do anything/ })
    .first()
    .waitFor()
  await page.keyboard.press('Control+k')
  await paletteOn(page).waitFor()
  await page.keyboard.type(text)
}

/** The text of the option that Enter runs, read from `aria-activedescendant`. */
export function activeOption(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    const option = document.getElementById(id)
    return option?.getAttribute('aria-selected') === 'true' ? option.innerText : undefined
  })
}
