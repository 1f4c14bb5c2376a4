import { expect, test } from 'vitest'
import { brokerSite } from './broker-site.fixture.ts'
import { openAtCard } from './case-page.fixture.ts'
import { noChromium } from './chromium.fixture.ts'
import { settled } from './customer-page.fixture.ts'
import { CARDS, FINISHED, checkInEachScheme, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

/** Cards whose errors are checked too. */
const WITH_ERRORS = ['Can you apply?', 'About you', 'Would any support help you?']

test.skipIf(noChromium)(
  '[surfaces 13] every card on the way to the offer is accessible in each scheme, with its errors too',
  async () => {
    const { page, faults } = await openAtCard(site, 0)
    for (const [heading, act] of CARDS) {
      await shows(page, heading)
      await settled(page)
      await checkInEachScheme(page, heading)
      if (WITH_ERRORS.includes(heading)) {
        await page.locator('button[type=submit]').last().click()
        await page.getByRole('alert').waitFor()
        await checkInEachScheme(page, `${heading} with errors`)
      }
      await act(page)
    }
    await shows(page, FINISHED)
    await settled(page)
    await checkInEachScheme(page, FINISHED)
    expect(faults).toEqual([])
  },
)
