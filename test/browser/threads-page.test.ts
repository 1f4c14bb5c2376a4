import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import { intercept, noChromium } from './chromium.fixture.ts'
import {
  PHONE,
  announced,
  ask,
  checkLooks,
  disclosure,
  focused,
  headOf,
  idle,
  press,
  runOf,
  said,
  threadsPage,
} from './threads-page.fixture.ts'
import { LONG_ANSWER } from './threads-server.fixture.ts'

const { server, open } = threadsPage()

test.skipIf(noChromium)(
  '[C011] [C021] [D007] a tree of agents to depth 3 grows while they work, and a reload during a sentence loses nothing',
  async () => {
    const { page, faults } = await open('tree')
    await page.getByText('Nothing has been asked').waitFor()
    const stops = ['Page 12', 'Sentence 3.'].map((words) => server().holdAt(words))
    const last = server().holdAt('Sentence 20.')
    await ask(page, 'When was the lamp of the lighthouse lit?')
    const scanner = ['lead', 'researcher', 'librarian', 'scanner'].reduce<Page | Locator>(
      runOf,
      page,
    ) as Locator
    const answer = scanner.getByText('Page 12')
    const grown: string[] = []
    for (const { words, goOn } of stops) {
      await answer.filter({ hasText: words }).waitFor()
      grown.push((await answer.textContent()) ?? '')
      goOn()
    }
    await answer.filter({ hasText: last.words }).waitFor()
    const before = (await answer.textContent()) ?? ''
    expect(grown.every((text) => before.startsWith(text))).toBe(true)
    for (const name of ['lead', 'researcher', 'librarian', 'scanner'])
      expect(await headOf(runOf(page, name)).textContent()).toContain('Working')
    await page.reload()
    await scanner.getByText(before).waitFor()
    last.goOn()
    await idle(page)
    expect(await page.getByRole('main').getByText('Page 12').count()).toBe(1)
    expect(await answer.textContent()).toBe(
      `Page 12 says that the lamp was lit in 1861. ${LONG_ANSWER}`,
    )
    for (const name of ['lead', 'scanner'])
      expect(await headOf(runOf(page, name)).textContent()).toContain('Done')
    // Messages complete before the page was opened are not announced, later ones once.
    const told = await announced(page)
    expect(told?.split('lead: I have it: It was lit in 1861').length).toBe(2)
    expect(told).not.toContain('I will ask the researcher')
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[C012] [C013] [C020] [C003] [C004] how much is shown depends on the depth that is chosen, and the address says which',
  async () => {
    await server().ask('depths', 'lead', 'When was the lamp of the lighthouse lit?')
    const { page, faults } = await open('depths')
    const lead = runOf(page, 'lead')
    const reasoning = lead.getByText('A question about the past')
    expect(await reasoning.count()).toBe(0)
    await disclosure(lead, 'Reasoning').click()
    await reasoning.waitFor()
    const researcher = runOf(lead, 'researcher')
    await disclosure(researcher, 'search').click()
    await researcher.getByText('Looking for "lamp"').waitFor()
    await researcher.getByText('The Keepers of the Light').waitFor()
    await checkLooks(page, 'tree')

    await page.getByRole('radio', { name: '1', exact: true }).check()
    expect(await page.getByRole('article').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?depth=1')
    await page.getByRole('radio', { name: 'Conversation' }).check()
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await said(page, 'I will ask the researcher.').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await runOf(page, 'lead').locator('details').count()).toBe(0)
    await page.getByRole('radio', { name: 'All' }).check()
    expect(await page.getByRole('article').count()).toBe(4)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  '[C007] [C008] usage is summed by agent, by model and in total, and unreported usage is marked',
  async () => {
    await server().ask('usage', 'lead', 'When was the lamp of the lighthouse lit?')
    await server().ask('usage', 'lead', 'trouble')
    const { page } = await open('usage')
    await disclosure(page.getByRole('complementary'), 'Open the table').click()
    await page.getByRole('rowheader', { name: 'Total' }).waitFor()
    const rows = await page.getByRole('row').allTextContents()
    const row = (name: string) => rows.find((text) => text.startsWith(name)) ?? ''
    expect(row('researcher')).toMatch(/^researcher\d{3,4} → \d+not reportednot reported0\.\d+$/)
    expect(row('lead')).toMatch(/^lead41 not reported/)
    expect(row('lead')).toMatch(/not known$/)
    expect(row('throughline/small')).toMatch(/^throughline\/small6/)
    expect(row('Total')).toMatch(/^Total101 not reported.*4 without a price$/)
  },
)

test.skipIf(noChromium)(
  'a prompt shows at once; one that cannot be sent keeps its text and is sent again',
  async () => {
    const { page, faults } = await open('prompt')
    const held = Promise.withResolvers<void>()
    const release = await intercept(page, '**/runs', async (route) => {
      await held.promise
      await route.abort()
    })
    await page.getByLabel('Agent', { exact: true }).selectOption('echo')
    await ask(page, 'Hello there')
    await said(page, 'Hello there').waitFor()
    await page.getByRole('main').getByText('Sending', { exact: true }).first().waitFor()
    held.resolve()
    await page.getByRole('alert').getByText('Not sent.').waitFor()
    expect(await said(page, 'Hello there').count()).toBe(1)
    await checkLooks(page, 'not sent', [PHONE])
    release()
    await press(page, 'Try again')
    await said(page, 'Echo of Hello there').waitFor()
    expect(await said(page, 'Hello there').count()).toBe(1)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'an approval is bound to its call, refused as easily, and shown only once it is in the log',
  async () => {
    const { page, context, faults } = await open('approval')
    const second = await context.newPage()
    await second.goto(page.url())
    await ask(page, 'pay Sarah')
    await page.getByRole('heading', { name: 'Pay Sarah £5.00?' }).waitFor()
    expect(await page.getByText('"pounds": 5').count()).toBe(0)
    await disclosure(page.getByRole('complementary'), 'The request as it was made').click()
    await page.getByText('"pounds": 5').waitFor()
    const [approve, refuse] = await Promise.all(
      ['Pay £5.00', 'Refuse'].map((name) =>
        page.getByRole('button', { name, exact: true }).evaluate((button) => ({
          width: Math.round(button.getBoundingClientRect().width),
          colour: getComputedStyle(button).backgroundColor,
        })),
      ),
    )
    expect(approve).toEqual(refuse)
    await checkLooks(page, 'approval')
    expect(await page.title()).toContain('Needs you')
    const held = Promise.withResolvers<void>()
    await page.route('**/resume', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByLabel('Your reason, if you refuse').fill('It is due')
    await page.getByRole('button', { name: 'Pay £5.00' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('It is not recorded yet.').waitFor()
    expect(await page.getByText('Answer recorded').count()).toBe(0)
    held.resolve()
    for (const tab of [page, second]) {
      await tab.getByText('Answer recorded').waitFor()
      await tab.getByText('pay: approved (“It is due”)').waitFor()
      await said(tab, 'I have it: Paid £5').waitFor()
    }
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await focused(page)).not.toBe('BODY')

    await ask(page, 'pay again')
    await press(page, 'Refuse')
    await page.getByText('pay: refused').waitFor()
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'requested values and results have a field each; a missing one has its error beside it',
  async () => {
    const { page, faults } = await open('values')
    await ask(page, 'both')
    await press(page, 'Send answers')
    await page.getByRole('alert').getByRole('link', { name: 'Answer "Date of arrival"' }).click()
    await page.keyboard.type('1 May')
    await page.getByLabel('Name of the guest').fill('Ann')
    await page.getByRole('radio', { name: 'Refuse' }).check()
    await checkLooks(page, 'values', [PHONE])
    await press(page, 'Send answers')
    await page.getByText('Name of the guest: Ann').waitFor()
    await page.getByText('Date of arrival: 1 May').waitFor()
    await said(page, 'I have it: Booked for Ann, 1 May').waitFor()

    await ask(page, 'measure')
    await page.getByLabel('Result of measure').fill('{"metres": 4}')
    await press(page, 'Send answers')
    await said(page, 'I have it: {"metres":4}').waitFor()

    await ask(page, 'book')
    await press(page, 'Stop instead of answering')
    await page.getByText('book: not answered').waitFor()
    await idle(page)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'stop works by keyboard and for one run of the tree; its text and the focus stay',
  async () => {
    const { page, faults } = await open('stop')
    const { goOn } = server().holdAt('Sentence 1.')
    await ask(page, 'long')
    const lead = runOf(page, 'lead')
    await lead.getByText('Sentence 1.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await headOf(lead).getByText('Stopped').waitFor()
    await idle(page)
    expect(await lead.getByText('Sentence 1.').textContent()).not.toContain('Sentence 40.')
    await lead.getByText('Stopped here').waitFor()
    expect(await focused(page)).not.toBe('BODY')
    goOn()
    server().holdAt('Page 12')

    await ask(page, 'When was the lamp of the lighthouse lit?')
    const scanner = runOf(page, 'scanner')
    await scanner.getByText('Page 12').waitFor()
    await press(page, 'Stop scanner')
    await headOf(scanner).getByText('Stopped').waitFor()
    expect(await scanner.getByText('Page 12').count()).toBe(1)
    await idle(page)
    expect(await headOf(runOf(page, 'lead').last()).textContent()).toContain('Done')
    await checkLooks(page, 'stopped', [PHONE])
    expect(faults).toEqual([])
  },
)
