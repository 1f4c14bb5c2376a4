import { cpSync, rmSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { REFERENCE_SENTENCE } from '../../apps/broker/journeys/journey.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'
import { PHONE, TABLET, sharedChromium, look, noChromium, openPage } from './chromium.fixture.ts'
import { closeTalk, isInView, openTalk, settled } from './customer-page.fixture.ts'
import {
  CARDS,
  FINISHED,
  OWN_CASE,
  checkAccessible,
  press,
  shows,
} from './journey-steps.fixture.ts'

/** Where a server that is started as a process finds its pages. */
const PAGES = 'dist/pages'

let browser: Browser
let server: ServerProcess
let dataDir: string

beforeAll(async () => {
  if (noChromium) return
  rmSync(PAGES, { recursive: true, force: true })
  cpSync(inject('pages'), PAGES, { recursive: true })
  browser = await sharedChromium()
  dataDir = await emptyFolder()
  server = await startServer({ DATA_DIR: dataDir })
})

afterAll(async () => {
  if (noChromium) return
  await server.end('SIGKILL')
})

/** Sends a message, waits until the answer has begun, and returns its text so far. */
async function beginsToAnswer(page: Page, question: string): Promise<string> {
  await openTalk(page)
  await page.getByRole('textbox', { name: 'Message' }).fill(question)
  // Observed in the page, because an answer may begin and end between two polls from the test.
  await page.evaluate((asked) => {
    Object.assign(globalThis, { begun: '' })
    const observer = new MutationObserver(() => {
      const text = document.querySelector('[role=log] + div p + p')?.textContent ?? ''
      if (text === '' || text === asked) return
      observer.disconnect()
      Object.assign(globalThis, { begun: text })
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  }, question)
  await press(page, 'Send')
  const seen = await page.waitForFunction(() => Reflect.get(globalThis, 'begun'))
  return String(await seen.jsonValue())
}

/** Long enough to answer that the server is gone before the end. */
const QUESTIONS = 'Do I pay a fee? How long does it take? Is this a loan?'

/** Kills the server during an answer; after the restart the page shows it as interrupted. */
async function killInMidSentence(page: Page): Promise<void> {
  const PORT = new URL(server.url).port
  await beginsToAnswer(page, QUESTIONS)
  await server.end('SIGKILL')
  await page.getByText('Connection lost').waitFor()
  await closeTalk(page)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  expect(await isInView(page, 'text=Connection lost')).toBe(true)
  expect(await coveredByBanner(page)).toEqual([])
  server = await startServer({ DATA_DIR: dataDir, PORT })
  // The pause before the next try may have grown to seconds.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await openTalk(page)
  await page.getByText('The answer was interrupted.').waitFor()
  expect(await page.getByText('Not sent.').count()).toBe(0)
  await page.reload()
  await page.getByText('The answer was interrupted.').waitFor()
  await page.getByRole('log').getByText('Interrupted before it was finished.').waitFor()
  await look(page, 'customer-interrupted')
  await press(page, 'Try again')
  await expect.poll(() => page.getByRole('log').getByText(QUESTIONS).count()).toBe(2)
  await settled(page)
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await closeTalk(page)
}

/** Returns the controls that the banner covers when they have the focus. */
function coveredByBanner(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const banner = document.querySelector('[class*=stays]')
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main input, main a')]
    const covered = controls.filter((control) => {
      control.focus()
      const { top, bottom } = control.getBoundingClientRect()
      return top < (banner?.getBoundingClientRect().bottom ?? Infinity) && bottom > 0
    })
    return covered.map(({ textContent }) => textContent)
  })
}

async function takeDown(page: Page): Promise<{ customer: string; audit: string }> {
  await page.goto(server.url)
  await look(page, 'home')
  await checkAccessible(page, 'home')
  await page.getByText(OWN_CASE).click()
  await press(page, 'Start a case')
  const audit = await page
    .getByRole('link', { name: 'Audit: see every record' })
    .getAttribute('href')
  await page.getByRole('link', { name: 'Open as the installer' }).click()
  await page.waitForURL(/\/installer\//)
  const composer = page.getByRole('textbox')
  await composer.fill(REFERENCE_SENTENCE)
  await composer.press('Enter')
  const customer = await page.getByLabel('Customer link').inputValue()
  await look(page, 'installer')
  await checkAccessible(page, 'installer')
  expect(await page.getByText('£15,750').count()).toBeGreaterThan(0)
  expect(page.url()).not.toContain('token=')
  return { customer, audit: audit ?? '' }
}

const QUESTION = 'What happens to my data?'

/** Reloads while the assistant is answering: the answer is whole afterwards, and stands there once. */
async function reloadInMidSentence(page: Page): Promise<void> {
  const partial = await beginsToAnswer(page, QUESTION)
  await page.reload()
  const answer = page.getByRole('log').getByText(partial)
  await answer.waitFor()
  expect(await answer.count()).toBe(1)
  expect((await answer.textContent())?.length).toBeGreaterThan(partial.length)
  await closeTalk(page)
}

test.skipIf(noChromium)(
  '[B002] [B003] [B004] [B009] [B005] [A013] [A018] [D007] from the installer’s sentence to the accepted offer, in a browser',
  async () => {
    const installer = await openPage(browser, TABLET)
    const links = await takeDown(installer.page)
    const { page, faults } = await openPage(browser, PHONE)
    await page.goto(new URL(links.customer, server.url).href)
    for (const [index, [heading, act]] of CARDS.entries()) {
      await shows(page, heading)
      await settled(page)
      await look(page, `customer-${index}`)
      await checkAccessible(page, heading)
      if (index === 3) await killInMidSentence(page)
      if (index === 5) await reloadInMidSentence(page)
      await act(page)
    }
    await shows(page, FINISHED)
    expect(await page.getByText('could not be saved').count()).toBe(0)
    await look(page, 'customer-finished')
    const audit = await openPage(browser, TABLET)
    await audit.page.goto(new URL(links.audit, server.url).href)
    await audit.page.getByText('Chain verified').waitFor()
    await look(audit.page, 'audit')
    await checkAccessible(audit.page, 'audit')
    expect([...faults, ...installer.faults, ...audit.faults]).toEqual([])
  },
)
