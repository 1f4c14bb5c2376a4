import { expect, test } from 'vitest'
import { chatExample, openTab, say } from './chat-example.fixture.ts'

const { startServer, isMissing } = chatExample('examples/tanstack')

test.skipIf(isMissing)(
  'a page of TanStack AI is loaded again in the middle of an answer, and shows all of it once',
  async () => {
    const { page, faults } = await openTab(await startServer(60))
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await page.reload()
    for (const tab of [page, second.page]) {
      await tab.getByText('The end.').waitFor()
      expect(await tab.locator('section.assistant p').allTextContents()).toEqual([
        expect.stringMatching(/^This is a long answer, .* The end\.$/),
      ])
    }
    expect([...faults, ...second.faults]).toEqual([])
  },
)

test.skipIf(isMissing)(
  'a question is asked and answered after the page was loaded again',
  async () => {
    const { page, faults } = await openTab(await startServer(1))
    await say(page, 'I want a refund')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Thank you: £89 is on its way').waitFor()
    await page.reload()
    await page.getByText('Thank you: £89 is on its way').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.skipIf(isMissing)('a stop ends the answer', async () => {
  const { page } = await openTab(await startServer(60))
  await say(page, 'Hello')
  await page.getByText('This is a long').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('status').getByText('streaming').waitFor({ state: 'detached' })
  expect(await page.locator('section.assistant').last().textContent()).not.toContain('The end.')
})
