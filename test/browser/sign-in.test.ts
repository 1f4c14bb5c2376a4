import type { Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { scriptedModel } from '../../src/models/index.ts'
import { fullTest } from '../tier.fixture.ts'
import { inspect } from './case-page.fixture.ts'
import { PHONE, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'
import { OWN_CASE, press, shows } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'
/** Wrong tokens that the server compares in a minute from one address. */
const WRONG_MAX = 10

/** The start page of a new server that has an operator. */
async function openStart() {
  const server = await servePages({
    model: scriptedModel(() => ''),
    folder: inject('pages'),
    operatorToken: OPERATOR_TOKEN,
  })
  onTestFinished(() => server.close())
  const opened = await openPage(await sharedChromium(), PHONE)
  await opened.page.goto(server.url)
  return { ...opened, server }
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Operator token').fill(token)
  await press(page, 'Sign in')
}

test.skipIf(noChromium)(
  'where the server has an operator, the start page signs them in, starts the case, and signs them out',
  async () => {
    const { page, context, faults } = await openStart()
    await page.getByText(OWN_CASE).click()
    await page.getByLabel('Retailer').fill('Sunny Roofs Ltd')
    await press(page, 'Start a case')
    const field = page.getByLabel('Operator token')
    await field.waitFor()
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true)
    expect(await field.getAttribute('type')).toBe('password')
    await inspect(page, 'start-page-sign-in')

    await press(page, 'Sign in')
    await page.getByRole('alert').getByText('Enter the operator token.').waitFor()
    await signIn(page, `${OPERATOR_TOKEN}x`)
    await page.getByRole('alert').getByText('This is not the operator token.').waitFor()
    await inspect(page, 'start-page-wrong-token')

    await signIn(page, OPERATOR_TOKEN)
    await shows(page, 'The case is ready')
    await inspect(page, 'start-page-signed-in')
    const installer = await context.newPage()
    await installer.goto(page.url())
    await installer.getByRole('link', { name: /^Installer \d/ }).click()
    await installer.getByText('Sunny Roofs Ltd').first().waitFor({ state: 'attached' })

    await press(page, 'Sign out')
    await expect.poll(() => page.getByRole('button', { name: 'Sign out' }).count()).toBe(0)
    await page.reload()
    expect(await page.getByText('Your cases in this browser').count()).toBe(0)
    await press(page, 'Start as the installer')
    await page.getByLabel('Operator token').waitFor()
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'after too many wrong tokens the sign-in says how long to wait',
  async () => {
    const { page, server } = await openStart()
    for (let count = 0; count < WRONG_MAX; count++) {
      await fetch(`${server.url}/api/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: `wrong ${count}` }),
      })
    }
    await press(page, 'Start as the installer')
    await signIn(page, OPERATOR_TOKEN)
    await page
      .getByRole('alert')
      .getByText(/^Too many wrong tokens\. Wait \d+ seconds, then try again\.$/)
      .waitFor()
  },
)

fullTest.skipIf(noChromium)('the link to the desk leads there by way of the sign-in', async () => {
  const { page, context } = await openStart()
  const link = page.getByRole('link', { name: 'Open the desk' })
  const desk = new URL((await link.getAttribute('href')) ?? '', page.url()).href
  await link.click()
  await signIn(page, OPERATOR_TOKEN)
  await page.waitForURL(desk)

  const again = await context.newPage()
  await again.goto(new URL('/', desk).href)
  await again.getByRole('link', { name: 'Open the desk' }).click()
  await again.waitForURL(/\/threads\/desk-/)
})

fullTest.skipIf(noChromium)('the demonstration opens once its operator has signed in', async () => {
  const { page } = await openStart()
  await press(page, 'Start as the installer')
  await signIn(page, OPERATOR_TOKEN)
  await page.waitForURL(/\/demonstration\//)
  const installer = page.frameLocator('iframe[title=Installer]')
  await installer.getByText('Status: Taking details').waitFor()
})
