import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chatExample, openTab } from './chat-example.fixture.ts'

const { startServer, isMissing } = chatExample(
  'examples/copilotkit/page',
  resolve('examples/copilotkit/server.mjs'),
)

async function say(page: Page, words: string): Promise<void> {
  // A chat that is still joining its thread may drop the question of a run that it begins meanwhile.
  await page.waitForLoadState('networkidle')
  await page.getByRole('textbox').fill(words)
  await page.keyboard.press('Enter')
}

test.skipIf(isMissing)(
  'a page of CopilotKit is loaded again in the middle of an answer, and shows all of it once',
  async () => {
    const { page, faults } = await openTab(await startServer(60))
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await page.reload()
    for (const tab of [page, second.page]) {
      await tab.getByText('The end.').waitFor()
      expect(await tab.getByText('This is a long').count()).toBe(1)
    }
    expect([...faults, ...second.faults]).toEqual([])
  },
)

test.skipIf(isMissing)('a question is answered after the page was loaded again', async () => {
  const { page, faults } = await openTab(await startServer(1))
  await say(page, 'I want a refund')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Thank you: £89 is on its way').waitFor()
  expect(faults).toEqual([])
})

test.skipIf(isMissing)(
  'a stop after a reload ends the answer on the server, and the page says that its run ended',
  async () => {
    const { page } = await openTab(await startServer(150))
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    await page.reload()
    await page.getByText('This is a long').waitFor()
    await page.getByTestId('copilot-send-button').click()
    await page.getByRole('status').getByText('cancelled').waitFor()
    expect(await page.getByText('The end.').count()).toBe(0)
  },
)
