import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect, openAtCard } from './case-page.fixture.ts'
import { look, noChromium } from './chromium.fixture.ts'
import { checkAccessible, fillAboutYou, press, shows } from './journey-steps.fixture.ts'

const site = brokerSite()

fullTest.skipIf(noChromium)(
  '[surfaces 44] finding an address says that the browser is offline, and that the demonstration makes addresses up; spending above the income is a note',
  async () => {
    const { page, context } = await openAtCard(site, 4)
    await fillAboutYou(page)
    await shows(page, 'Where do you live?')
    await page.getByLabel('Postcode').fill('SW1A 1AA')
    await context.setOffline(true)
    await press(page, 'Find')
    await page.getByRole('main').getByText('We look up addresses when you are connected.').waitFor()
    expect(await page.getByText('Looking for addresses').count()).toBe(0)
    await context.setOffline(false)
    await press(page, 'Find')
    await page.getByText('These are made up, for the demonstration.').waitFor()
    await look(page, 'made-up-addresses')
    await page.getByRole('radio').first().check()
    await press(page, 'Continue')
    await shows(page, 'Your work and money')
    await page.getByRole('radio', { name: 'Employed', exact: true }).check()
    await page.getByLabel('Income in a year').fill('12000')
    await page.getByLabel('What you spend in a month').fill('1400')
    await page.getByText('You spend more in a month than your income brings in.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await checkAccessible(page, 'spending above income')
    await press(page, 'Check your answers')
    await shows(page, 'Check your answers')
  },
)

test.skipIf(noChromium)(
  '[surfaces 10] after a refused Continue a field keeps the focus at every key press',
  async () => {
    const { page } = await openAtCard(site, 4)
    await press(page, 'Continue')
    await page.getByRole('alert').waitFor()
    const name = page.getByLabel('Full name')
    await name.fill('')
    await name.click()
    await page.keyboard.type('Sarah Miller')
    expect(await name.inputValue()).toBe('Sarah Miller')
    const day = page.getByLabel('Day', { exact: true })
    await day.click()
    await page.keyboard.type('14')
    expect(await day.inputValue()).toBe('14')
    await press(page, 'Continue')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('alert')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 10] errors of an address name only shown fields: the postcode, the list, then the lines of the address',
  async () => {
    const { page } = await openAtCard(site, 4)
    await fillAboutYou(page)
    await shows(page, 'Where do you live?')
    const alert = page.getByRole('alert')
    const found = () => alert.getByRole('link').allInnerTexts()
    await press(page, 'Continue')
    await expect.poll(found).toEqual(['Enter a full UK postcode, such as SN1 1AA'])
    expect(await page.getByLabel('Address line 1').count()).toBe(0)
    await page.getByLabel('Postcode').fill('SW1A 1AA')
    await press(page, 'Continue')
    await expect.poll(found).toEqual(['Choose your address, or type it'])
    await press(page, 'Find')
    await page.getByRole('group', { name: 'Choose your address' }).waitFor()
    await press(page, 'Continue')
    await expect.poll(found).toEqual(['Choose your address, or type it'])
    await alert.getByRole('link').click()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('fieldset') !== null))
      .toBe(true)
    await press(page, 'Type the address instead')
    await press(page, 'Continue')
    await expect
      .poll(found)
      .toEqual(['Enter the first line of your address', 'Enter your town or city'])
    await inspect(page, 'address-errors')
  },
)
