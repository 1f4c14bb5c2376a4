import { expect, test } from 'vitest'
import { noChromium } from './chromium.fixture.ts'
import { activeOption, find, optionsIn, paletteOn } from './command-palette.fixture.ts'
import { ask, checkLooks, idle, said, threadsPage } from './threads-page.fixture.ts'

const { open } = threadsPage()

test.skipIf(noChromium)(
  '[surfaces 45] the palette of a thread stops its run, goes to the message and to the audit, and approves nothing',
  async () => {
    const { page, faults } = await open('palette')
    await find(page, 'stop')
    expect(await optionsIn(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await ask(page, 'When was the lamp of the lighthouse lit?')
    await said(page, 'I will ask the researcher.').waitFor()
    await find(page, '')
    expect((await optionsIn(page).allInnerTexts()).join()).not.toMatch(/approve|refuse/i)
    await page.keyboard.type('stop')
    await expect.poll(() => activeOption(page)).toBe('Stop lead')
    await page.keyboard.press('Enter')
    await idle(page)
    await page.getByText('Stopped').first().waitFor()
    await find(page, '')
    await checkLooks(page, 'palette of a thread')
    await page.keyboard.type('ask an')
    await page.keyboard.press('Enter')
    await paletteOn(page).waitFor({ state: 'hidden' })
    const message = page.getByRole('textbox', { name: 'Message' })
    expect(await message.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(faults).toEqual([])
    await find(page, 'audit of this')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/audit/palette')
  },
)
