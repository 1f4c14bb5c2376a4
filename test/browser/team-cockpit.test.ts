import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { saying, scriptedPrograms } from '../../apps/team/session/scripted-team.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { PHONE, TABLET, look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { DESK, idle, openStarted, openTab, play, serveTeam } from './team-page.fixture.ts'

const LAPTOP = { width: 1280, height: 720 }

const LINES = Array.from({ length: 38 }, (_, line) => `line ${line + 1} of it`).join('\n')
const EDIT = { file_path: 'src/total.ts', old_string: 'one\ntwo', new_string: 'one\n2\nthree' }
const WORK = [
  { text: 'I look at the tests.' },
  { tool: { name: 'Bash', input: { command: 'npm test' }, result: LINES } },
  { tool: { name: 'Edit', input: EDIT, result: 'ok' } },
  { tool: { name: 'Bash', input: { command: 'npm run lint' }, result: '2 errors', isError: true } },
]
const ASKS = {
  tool: { name: 'Bash', input: { command: 'rm -r build' }, result: '', asks: true },
}

/** What the lead said. */
const SAID = 'article[aria-label^="Julian"]'

/** Whether all of it is inside the window. */
async function isInSight(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox()
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  if (!box) return false
  const { x, y } = box
  return x >= 0 && y >= 0 && x + box.width <= width + 1 && y + box.height <= height + 1
}

test.skipIf(noChromium).each([DESK, LAPTOP, PHONE])(
  'the page is one screen at $width × $height: what needs a person and the message box never leave',
  async (size) => {
    const { page, url, faults } = await openStarted(size)
    const many = Array.from({ length: 30 }, (_, at) => ({ text: `Line ${at}.\n`.repeat(6) }))
    await play(url, [...many, ASKS])
    await page.getByRole('button', { name: 'Refuse', exact: true }).waitFor()
    const scrolls = await page.evaluate(() => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
      return [scrollHeight - clientHeight, scrollWidth - clientWidth]
    })
    expect(scrolls).toEqual([0, 0])
    const always = ['[data-message-box]', '#needs-you', 'header', 'canvas', '[data-state]']
    for (const part of always) expect([part, await isInSight(page, part)]).toEqual([part, true])
    await page.getByRole('log').evaluate((log) => log.scrollTo({ top: -2_000 }))
    for (const part of always) expect([part, await isInSight(page, part)]).toEqual([part, true])
    await look(page, `team-${size.width}`)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'each call of a coding agent shows its command, its output and its change',
  async () => {
    const { page, url, faults } = await openStarted()
    await play(url, WORK)
    const log = page.getByRole('log')
    await log.getByText('npm run lint', { exact: true }).waitFor()
    await idle(page)
    const call = (text: string) => log.locator('details').filter({ hasText: text }).last()
    await call('npm test').locator('summary').click()
    const output = call('npm test').getByRole('region', { name: 'Output of npm test' })
    expect(await output.innerText()).not.toContain('line 1 of it')
    await call('npm test').getByRole('button', { name: 'Show all 38 lines' }).click()
    expect(await output.innerText()).toContain('line 1 of it')
    await call('src/total.ts').locator('summary').click()
    const change = call('src/total.ts').getByRole('region', { name: 'Change in src/total.ts' })
    expect((await change.innerText()).split('\n').slice(0, 4)).toEqual([
      '  one',
      '− two',
      '+ 2',
      '+ three',
    ])
    expect(await call('npm run lint').innerText()).toContain('Failed')
    await page.getByText('Talk only').click()
    expect(await log.getByText('npm run lint', { exact: true }).count()).toBe(0)
    expect(await log.getByText('I look at the tests.', { exact: true }).count()).toBe(1)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'a face opens its agent, who can be written to; Back closes it, and its address can be sent',
  async () => {
    const { page, url, faults } = await openStarted()
    await page.getByRole('button', { name: 'Summon agents' }).click()
    await page.getByRole('link', { name: /^Lyra/ }).click()
    const sheet = page.getByRole('region', { name: 'Lyra', exact: true })
    await sheet.getByRole('button', { name: 'Write to Lyra' }).click()
    await page.getByLabel('Message').fill('What do you read?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Lyra here. You asked: What do you read?').waitFor()
    await idle(page)
    await page.goBack()
    await sheet.getByText('Human asked:').waitFor()
    await look(page, 'team-agent')
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    await page.goto(`${url}#agent=Lyra`)
    await sheet.getByText('Human asked: What do you read?').waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'what comes while a person reads further up is counted, and shown on request',
  async () => {
    const { page, url, faults } = await openStarted(LAPTOP)
    const lines = Array.from({ length: 20 }, (_, at) => ({ text: `Line ${at}.\n`.repeat(6) }))
    await play(url, lines)
    await page.locator(`${SAID} >> text=Line 19.`).first().waitFor()
    await idle(page)
    await page.getByRole('log').hover()
    await page.mouse.wheel(0, -3_000)
    await expect.poll(() => isInSight(page, `${SAID} >> text=Line 19.`)).toBe(false)
    await play(url, [{ text: 'Something new.' }])
    const pill = page.getByRole('button', { name: /new from Julian/ })
    await pill.waitFor()
    await look(page, 'team-pill')
    await pill.click()
    await pill.waitFor({ state: 'detached' })
    await expect.poll(() => isInSight(page, `${SAID} >> text=Something new.`)).toBe(true)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'transcripts of all sessions are read and searched, and documents are found',
  async () => {
    const { page, faults } = await openStarted()
    await page.getByLabel('Message').fill('Please write a plan')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('It is in plan.html.').waitFor()
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('button', { name: 'Start a demonstration' }).click()
    await page.getByRole('link', { name: 'Transcripts' }).click()
    const panel = page.getByRole('region', { name: 'Transcripts' })
    const sessions = panel.getByRole('group', { name: 'List of sessions' })
    await sessions.getByText('You ended it').waitFor()
    await sessions.getByRole('link').last().click()
    await panel
      .getByRole('list', { name: /^Transcript/ })
      .getByText('It is in plan.html.')
      .waitFor()
    await look(page, 'team-transcripts')
    await panel.getByLabel('Find in all transcripts').fill('in plan')
    await panel.getByText('1 messages').waitFor()
    await page.getByRole('link', { name: /^Documents/ }).click()
    await page.getByLabel('Find in documents').fill('agreed')
    await page.getByRole('list', { name: 'List of documents' }).getByText('plan.html').waitFor()
    await page.getByLabel('Find in documents').fill('nothing like it')
    await page.getByText('No document has these words.').waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[X26] a command that a person always allows runs unasked, until they take that back',
  async () => {
    const { page, url, faults } = await openStarted()
    const call = (result: string) => ({
      tool: { name: 'Bash', input: { command: 'npm test' }, result, asks: true },
    })
    await play(url, [call('first')])
    const needs = page.getByRole('region', { name: 'Needs you' })
    await needs.getByRole('button', { name: 'Always allow this here' }).click()
    await needs.waitFor({ state: 'detached' })
    await idle(page)
    await play(url, [call('second'), { text: 'Ran again.' }])
    await page.locator(`${SAID} >> text=Ran again.`).waitFor()
    expect(await needs.count()).toBe(0)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('Bash(npm test)').waitFor()
    await look(page, 'team-rules')
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('Bash(npm test)').waitFor({ state: 'detached' })
    await play(url, [call('third')])
    await needs.getByRole('button', { name: 'Allow once' }).waitFor()
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[S20] the page says how much of the budget is used, and raising it lets messages go on',
  async () => {
    const programs = scriptedPrograms((text) => saying(`You said: ${text}`), 'opus')
    const url = await serveTeam(programs)
    const { page, faults } = await openTab(url)
    await page.getByLabel('Budget in US dollars').fill('0.02')
    await page.getByRole('button', { name: 'Start session' }).click()
    const send = async (text: string) => {
      await page.getByLabel('Message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await send('One')
    await page.getByText('You said: One').waitFor()
    await page.getByText('The budget of this session is used up.', { exact: false }).waitFor()
    await send('Two')
    await page.getByText('1 message waits for the budget.').waitFor()
    expect(await page.getByText('Julian thinks').count()).toBe(0)
    await look(page, 'team-budget')
    await checkAccessible(page, 'team-budget')
    await page.getByRole('link', { name: 'Change the budget' }).click()
    expect(await page.getByText('You said: Two').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Budget in US dollars' }).fill('5')
    await page.getByRole('button', { name: 'Change the budget' }).click()
    await page.getByText('You said: Two').waitFor()
    expect(faults).toEqual([])
  },
)

const PANELS = ['agent=Lyra', 'documents', 'jobs', 'new-job', 'sessions', 'usage', 'screen']

fullTest.skipIf(noChromium).each([
  [DESK, 'light'],
  [DESK, 'dark'],
  [TABLET, 'light'],
  [PHONE, 'dark'],
] as const)('axe finds no fault in any panel at %o, %s', async (size, colorScheme) => {
  const { page, url } = await openStarted(size)
  await page.emulateMedia({ colorScheme })
  await page.getByRole('button', { name: 'Summon agents' }).click()
  await page.getByText('Lyra').first().waitFor()
  await page.getByLabel('Message').fill('Please write a plan')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('It is in plan.html.').waitFor()
  await play(url, [...WORK, ASKS])
  await page.getByRole('button', { name: 'Refuse', exact: true }).waitFor()
  await checkAccessible(page, 'talk')
  await page.goto(`${url}#agent=Lyra`)
  await page.getByRole('button', { name: 'Write to Lyra' }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
  for (const panel of PANELS) {
    await page.goto(`${url}#${panel}`)
    await page.waitForTimeout(400)
    await look(page, `team-${panel}-${size.width}-${colorScheme}`)
    await checkAccessible(page, panel)
  }
})
