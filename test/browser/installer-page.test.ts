import jsQR from 'jsqr'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Journey, caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { PHONE, TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { composer, settled } from './customer-page.fixture.ts'
import { press } from './journey-steps.fixture.ts'
import { fullTest } from '../tier.fixture.ts'

const site = brokerSite()

async function openInstaller() {
  const { sessionId, tokens } = await Journey.start(site.broker)
  const { page, faults } = await openPage(site.browser, TABLET)
  await page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
  await composer(page).waitFor()
  return { page, faults }
}

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await press(page, 'Send')
  await settled(page)
}

test.skipIf(noChromium)(
  '[B005] the page is named for its customer, and its retailer is a default until the installer names one',
  async () => {
    const { page, faults } = await openInstaller()
    const retailer = page.getByText('Demonstration Solar')
    await retailer.waitFor()
    expect(await page.title()).toBe('New customer')
    await page.getByText('A default, as nobody has named one').waitFor()
    await say(page, "We're Sunny Roofs Ltd, the customer is Sarah Jones")
    await page.getByText('Sunny Roofs Ltd', { exact: true }).waitFor()
    expect(await retailer.count()).toBe(0)
    expect(await page.getByText('A default').count()).toBe(0)
    await page.getByRole('heading', { level: 1, name: 'Customer: Sarah Jones' }).waitFor()
    await expect.poll(() => page.title()).toBe('Customer: Sarah Jones')
    await page.reload()
    await expect.poll(() => page.title()).toBe('Customer: Sarah Jones')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[B003] the assistant says where the link is, which is there, and never that it was sent',
  async () => {
    const { page, faults } = await openInstaller()
    await say(page, '12k for solar, no deposit, Sarah, sarah@example.com, 07700 900 123')
    await page.getByLabel('Customer link').waitFor()
    await say(page, 'has it been sent to her?')
    const log = page.getByRole('log')
    const told = log.getByText('with the facts on this page, to show or copy')
    await expect.poll(() => told.count()).toBe(2)
    expect((await log.textContent())?.replaceAll('nothing is sent', '')).not.toMatch(
      /\b(?:sending|was sent)\b/i,
    )
    await inspect(page, 'installer-link')
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium).each(['dark', 'light'] as const)(
  '[surfaces 57] a camera reads the link from the code, %s',
  async (colorScheme) => {
    const { page, faults } = await openInstaller()
    await page.emulateMedia({ colorScheme })
    await say(page, '12k for solar, no deposit, Sarah, sarah@example.com, 07700 900 123')
    const link = await page.getByLabel('Customer link').inputValue()
    await press(page, 'Show the code')
    const shot = await page
      .getByRole('img', { name: 'QR code of the customer’s link' })
      .screenshot()
    // The content policy of our page reads no data address.
    const blank = await page.context().newPage()
    const pixels = await blank.evaluate(
      async (png) => {
        const image = await createImageBitmap(await (await fetch(png)).blob())
        // As many points as a camera far away would see; each of them travels as four numbers.
        const side = 200
        const canvas = new OffscreenCanvas(side, side).getContext('2d')
        canvas?.drawImage(image, 0, 0, side, side)
        const read = canvas?.getImageData(0, 0, side, side)
        return { data: [...(read?.data ?? [])], width: side, height: side }
      },
      `data:image/png;base64,${shot.toString('base64')}`,
    )
    const { data, width, height } = pixels
    expect(jsQR.default(new Uint8ClampedArray(data), width, height)?.data).toBe(link)
    await inspect(page, `installer-code-${colorScheme}`)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 57] where nothing may be shared or copied, the page says so, and the link can be selected',
  async () => {
    const { page, faults } = await openInstaller()
    await page.evaluate(() => {
      const share = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
      Object.assign(navigator, { share })
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await say(page, '12k for solar, no deposit, Sarah, sarah@example.com, 07700 900 123')
    await press(page, 'Show the code')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Share', exact: false }).click()
    await sheet.getByText('This device could not share the link').waitFor()
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    await sheet.getByText('Not copied').waitFor()
    const field = sheet.getByRole('textbox')
    await field.focus()
    const selected = await page.evaluate(() => getSelection()?.toString())
    expect(selected).toBe(await field.inputValue())
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 19] [surfaces 56] six rows fill in their fixed places, and a row is edited by touch through the gate',
  async () => {
    const { page, faults } = await openInstaller()
    const rows = page.getByRole('region', { name: 'For the link' }).getByRole('button')
    const tops = () =>
      rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().top)))
    await expect.poll(() => rows.count()).toBe(6)
    const before = await tops()
    await say(page, '17,500 for solar and a battery, the customer is Sarah')
    await page.getByText('3 of 6').waitFor()
    expect(await tops()).toEqual(before)
    await rows.filter({ hasText: 'Mobile' }).click()
    const sheet = page.getByRole('dialog', { name: 'Mobile' })
    await sheet.getByRole('textbox').fill('07700 900 12')
    await press(page, 'Save')
    await sheet.getByRole('alert').waitFor()
    await sheet.getByRole('textbox').fill('07700 900 123')
    await press(page, 'Save')
    await sheet.waitFor({ state: 'hidden' })
    await rows.filter({ hasText: '07700 900 123' }).filter({ hasText: 'typed' }).waitFor()
    await rows.filter({ hasText: 'Deposit' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('20000')
    await press(page, 'Save')
    await page.getByRole('dialog').getByText('not accepted').waitFor()
    await page.getByRole('dialog').getByRole('textbox').fill('10%')
    await press(page, 'Save')
    await rows.filter({ hasText: '£1,750 (10%)' }).waitFor()
    await settled(page)
    await page.setViewportSize(PHONE)
    await press(page, 'Facts')
    await inspect(page, 'installer-checklist')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[surfaces 20] once the customer has started, the installer sees progress and no facts',
  async () => {
    const journey = await caseAfter(site.broker, 3)
    const { page, faults } = await openPage(site.browser, TABLET)
    const { sessionId, tokens } = journey
    await page.goto(`${site.broker.url}/installer/${sessionId}#token=${tokens.installer}`)
    const progress = page.getByRole('region', { name: 'How far the customer is' })
    await expect.poll(() => progress.getByRole('listitem').count()).toBe(4)
    expect(await progress.locator('[aria-current=step]').textContent()).toContain('Answering')
    expect(await page.getByRole('region', { name: 'For the link' }).count()).toBe(0)
    expect(await page.getByText('£17,500').count()).toBe(0)
    expect(faults).toEqual([])
  },
)
