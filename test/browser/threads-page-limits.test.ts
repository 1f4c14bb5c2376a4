import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { noChromium } from './chromium.fixture.ts'
import {
  PHONE,
  announced,
  ask,
  checkLooks,
  disclosure,
  focused,
  headOf,
  idle,
  runOf,
  said,
  threadsPage,
} from './threads-page.fixture.ts'
import { fullTest } from '../tier.fixture.ts'
import { CROWD } from './threads-server.fixture.ts'

/** Of a page of the studio, compressed. */
const JS_BYTES_MAX = 220_000
/** How many the page draws before "more" is pressed. */
const TURNS_SHOWN_MAX = 20
const ITEMS_SHOWN_MAX = 50

const RUNS = 1_000

const { server, open } = threadsPage()

fullTest.skipIf(noChromium)(
  '[C024] a hand-off, an attempt that failed and a tool that failed are each marked as what they are',
  async () => {
    const { page, faults } = await open('marks')
    await ask(page, 'goodbye')
    await page.getByRole('main').getByText('Handed over to closer').waitFor()
    await said(page, 'Thank you, and goodbye.').waitFor()
    const closer = headOf(runOf(page, 'closer'))
    expect(await closer.textContent()).toContain('depth 0')
    await idle(page)

    await ask(page, 'trouble')
    await page.getByText('Attempt 1 failed: provider').waitFor()
    await said(page, 'All is well after all.').waitFor()
    expect(await page.getByText('From an attempt that failed').count()).toBe(1)
    await idle(page)

    await ask(page, 'drawer')
    const drawer = disclosure(runOf(page, 'lead').last(), 'fragile')
    await drawer.getByText('Failed').waitFor()
    await drawer.focus()
    await page.keyboard.press('Enter')
    await page.getByText('The drawer is locked', { exact: true }).waitFor()
    await checkLooks(page, 'marks', [PHONE])
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  '[D006] [D089] the page shows a lost connection, and the missed records once it is back',
  async () => {
    const { page, faults } = await open('lost')
    await ask(page, 'echo me')
    await said(page, 'You said: echo me').waitFor()
    await idle(page)
    await server().restart(() =>
      page.getByText('Connection lost. Trying to reconnect.').waitFor({ timeout: 20_000 }),
    )
    await server().ask('lost', 'echo', 'the other side')
    await said(page, 'Echo of the other side').waitFor()
    expect(await page.getByText('Connection lost').count()).toBe(0)
    expect(await said(page, 'You said: echo me').count()).toBe(1)
    expect(await page.getByRole('article').count()).toBe(2)
    await page.waitForFunction(
      () => document.querySelector('[role=log]')?.textContent?.includes('the other side') === true,
    )
    expect((await announced(page))?.split('Echo of the other side').length).toBe(2)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  `a thread of ${RUNS} runs draws its latest turns, and earlier ones when it is asked to`,
  async () => {
    for (let run = 0; run < RUNS; run++) await server().ask('many', 'echo', `number ${run}`)
    const { page, faults } = await open('many')
    await said(page, `Echo of number ${RUNS - 1}`).waitFor()
    expect(await page.getByRole('article').count()).toBe(TURNS_SHOWN_MAX)
    await page.getByText(`${RUNS - TURNS_SHOWN_MAX} turns above`).waitFor()
    await page.getByRole('button', { name: 'Show 20 earlier turns' }).click()
    expect(await page.getByRole('article').count()).toBe(2 * TURNS_SHOWN_MAX)
    expect(await page.getByRole('heading', { name: `Turn ${RUNS}`, exact: true }).count()).toBe(1)
    await ask(page, 'one more')
    await said(page, 'Echo of one more').waitFor()
    await disclosure(page.getByRole('complementary'), 'Open the table').click()
    const [total] = await page.getByRole('row', { name: /^Total/ }).allTextContents()
    expect(total?.startsWith(`Total${(RUNS + 1).toLocaleString('en')}`)).toBe(true)
    expect(faults).toEqual([])
  },
)

fullTest.skipIf(noChromium)(
  'a run that called many others draws the latest of them, and the rest when it is asked to',
  async () => {
    await server().ask('crowd', 'crowd', 'Everybody')
    const { page, faults } = await open('crowd')
    await said(page, 'All have answered.').waitFor()
    const shown = ITEMS_SHOWN_MAX - 1
    expect(await runOf(page, 'echo').count()).toBe(shown)
    await page.getByRole('button', { name: `Show ${CROWD - shown} earlier` }).focus()
    await page.keyboard.press('Enter')
    expect(await runOf(page, 'echo').count()).toBe(CROWD)
    expect(await focused(page)).toBe('H3')
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)('the files of a prompt show, and nothing of them is fetched', async () => {
  // A red square of 16 pixels.
  const value =
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAF0lEQVR4nGP8z0AaYCJR/aiGUQ1DSAMAQC4BH2bjRnMAAAAASUVORK5CYII='
  await server().ask('photos', 'echo', [
    { type: 'text', text: 'What is broken here?' },
    { type: 'image', source: { type: 'data', value, mimeType: 'image/png' } },
    {
      type: 'document',
      source: { type: 'url', value: 'https://example.com/plan.pdf', mimeType: 'application/pdf' },
    },
  ])
  const { page, faults } = await open('photos')
  const picture = page.getByRole('img', { name: 'File of the type image/png' })
  await picture.waitFor()
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(16)
  const link = page.getByRole('link', { name: 'File of the type application/pdf at example.com' })
  expect(await link.getAttribute('rel')).toBe('noreferrer')
  await checkLooks(page, 'files', [PHONE])
  expect(faults).toEqual([])
})

test.skipIf(noChromium)('the page keeps to the budget of the studio', async () => {
  const { page } = await open('budget')
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  )
  const bytes = scripts.map((path) => gzipSync(readFileSync(join(inject('pages'), path))).length)
  expect(scripts.length).toBeGreaterThan(0)
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(JS_BYTES_MAX)
})
