import { expect, test } from 'vitest'
import { look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { openStarted } from './team-page.fixture.ts'

test.skipIf(noChromium)(
  '[S18] a message that ends the program twice is shown as not delivered, and is dropped',
  async () => {
    const { page, faults } = await openStarted()
    const deadly = JSON.stringify({ play: [{ exit: 1 }] })
    for (const message of [deadly, 'How are you?']) {
      await page.getByLabel('Message').fill(message)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await page.getByText('You said: How are you?').waitFor()
    const said = page.getByRole('log').getByRole('article').filter({ hasText: deadly })
    await said.getByText('Not answered: the program ended on it.').waitFor()
    await said.getByRole('button', { name: 'Send again' }).waitFor()
    await look(page, 'team-set-aside')
    await checkAccessible(page, 'team-set-aside')
    await said.getByRole('button', { name: 'Drop' }).click()
    await said.getByText('Dropped.', { exact: false }).waitFor()
    expect(await said.getByRole('button').count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[D047] an offer stands on the job and on the agent until it is declined or taken',
  async () => {
    const { page, faults } = await openStarted()
    await page.getByRole('button', { name: 'Summon agents' }).click()
    await page.getByText('Lyra').first().waitFor()
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('link', { name: 'New job' }).click()
    await page.getByLabel('Job', { exact: true }).fill('Clerk')
    await page.getByRole('button', { name: 'Add job' }).click()
    await page.getByText('Clerk').first().click()
    await page.getByRole('button', { name: 'Offer to Lyra' }).click()
    const agents = page.getByRole('region', { name: 'Agents' })
    await agents.getByText('Offered: Clerk', { exact: false }).waitFor()
    const toLyra = page.getByRole('group', { name: 'Offered to Lyra' })
    await look(page, 'team-offer')
    await checkAccessible(page, 'team-offer')
    await toLyra.getByRole('button', { name: 'Declined' }).click()
    await toLyra.waitFor({ state: 'detached' })
    expect(await agents.getByText('Offered: Clerk').count()).toBe(0)
    await page.getByRole('radio', { name: /Lyra/ }).last().check()
    await page.getByRole('button', { name: 'Offer to Lyra' }).click()
    await toLyra.getByRole('button', { name: 'Taken' }).click()
    await agents.getByText('Clerk').waitFor()
    await page.getByText('Filled by Lyra').waitFor()
    expect(faults).toEqual([])
  },
)
