import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chatExample, openTab, say } from './chat-example.fixture.ts'

const { startServer, isMissing } = chatExample('examples/use-chat/page')
const WHOLE = /^This is a long answer, .* The end\.$/

const replyOf = (page: Page) => page.locator('section.assistant').last()
const textOf = async (page: Page) => (await replyOf(page).locator('p').allTextContents()).join('')
const isReady = (page: Page) =>
  page.getByRole('status').getByText('ready', { exact: true }).waitFor()

test.skipIf(isMissing)(
  'a page of the AI SDK is loaded again in the middle of an answer and in a second tab: both show all of it',
  async () => {
    const { page, faults } = await openTab(await startServer(60))
    await isReady(page)
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await page.reload()
    for (const tab of [page, second.page]) {
      await tab.getByText('The end.').waitFor()
      await isReady(tab)
      expect(await textOf(tab)).toMatch(WHOLE)
      expect(await tab.locator('section').count()).toBe(2)
    }
    await page.reload()
    await isReady(page)
    expect(await textOf(page)).toMatch(WHOLE)
    // The second tab learns of what the first one asks, while it is written.
    await say(page, 'Hello again')
    await second.page.getByText('Hello again').waitFor()
    await second.page.getByText('The end.').nth(1).waitFor()
    expect(await textOf(second.page)).toMatch(WHOLE)
    expect([...faults, ...second.faults]).toEqual([])
  },
)

test.skipIf(isMissing)(
  'an approval is given in a second tab, and the first one, loaded again, shows it; a refusal pays nothing',
  async () => {
    const { page, faults } = await openTab(await startServer(5))
    await isReady(page)
    await say(page, 'A refund, please')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.reload()
    const second = await openTab(page.url())
    const tabs = [page, second.page]
    for (const tab of tabs) await tab.getByRole('button', { name: 'Approve' }).waitFor()
    await second.page.getByRole('button', { name: 'Approve' }).click()
    for (const tab of tabs) await tab.getByText('Thank you: £89 is on its way').waitFor()
    await page.reload()
    await page.getByText('Refunded: £89').waitFor()
    await say(page, 'Another refund, please')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await replyOf(page).getByText('Thank you').waitFor()
    await page.reload()
    await page.getByText('Refused.').waitFor()
    await page.getByText('Refunded: £89').waitFor()
    expect([...faults, ...second.faults]).toEqual([])
  },
)

test.skipIf(isMissing)(
  'a tool of the page runs there, a stop ends the answer in every tab, and it is answered again',
  async () => {
    const { page, faults } = await openTab(await startServer(150))
    await isReady(page)
    await say(page, 'It came broken')
    await page.getByRole('button', { name: 'Take a photo' }).click()
    await page.getByText('Thank you: a photo of the lamp').waitFor()
    await isReady(page)
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await second.page.getByText('This is a long').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    for (const tab of [page, second.page]) {
      await tab.getByText('It ended: cancelled.').waitFor()
      await isReady(tab)
      expect(await textOf(tab)).not.toContain('The end.')
    }
    await page.getByRole('button', { name: 'Again' }).click()
    await page.getByText('The end.').waitFor()
    expect([...faults, ...second.faults]).toEqual([])
  },
)
