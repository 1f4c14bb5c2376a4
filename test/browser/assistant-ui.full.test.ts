import { expect, test } from 'vitest'
import { chatExample, openTab, say } from './chat-example.fixture.ts'

const { startServer, isMissing } = chatExample('examples/assistant-ui')

test.skipIf(isMissing)(
  'a page of assistant-ui is loaded again in the middle of an answer, and shows all of it',
  async () => {
    const { page, faults } = await openTab(await startServer(60))
    await say(page, 'Hello')
    await page.getByText('This is a long').waitFor()
    const second = await openTab(page.url())
    await page.reload()
    for (const tab of [page, second.page]) {
      await tab.getByText('The end.').waitFor()
      const reply = tab.locator('.assistant').last()
      // It marks a reply at work with a dot.
      await expect.poll(() => reply.textContent()).toMatch(/^This is a long answer, .* The end\.$/)
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
