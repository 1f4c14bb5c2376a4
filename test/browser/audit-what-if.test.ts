import { expect, test } from 'vitest'
import { look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { openOperatedAudit, signInAsOperator } from './operated-audit.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

test.skipIf(noChromium)(
  'an operator forks a case, does otherwise in the fork, and sees both side by side; the case stays as it was',
  async () => {
    const { page, faults, broker, journey, records } = await openOperatedAudit()
    const before = JSON.stringify(await recordsOf(broker.log, journey.sessionId))
    const chosen = records.find(({ type }) => type === 'capture_consent')
    await page.goto(`${page.url().split('?')[0]}?ev=${(chosen?.seq ?? 0) - 1}&tab=what-if`)
    await page.getByRole('button', { name: /^Fork after record/ }).click()
    await page.getByText('Only an operator may fork a thread').waitFor()
    await signInAsOperator(page)
    await page.getByRole('button', { name: /^Fork after record/ }).click()
    await page
      .getByText('have the hashes of the thread')
      .or(page.getByText('were opened from'))
      .waitFor()
    const type = page.getByLabel('Type')
    await expect.poll(() => type.inputValue()).toBe('capture_consent')
    await page.getByLabel('Data, as JSON').fill('{')
    await page.getByRole('button', { name: 'Propose it in the fork' }).click()
    await page.getByText('The data is not JSON.').waitFor()
    await type.fill('withdraw')
    await page.getByLabel('Data, as JSON').fill('{}')
    await page.getByRole('button', { name: 'Propose it in the fork' }).click()
    await page.getByText('Done. What followed is below.').waitFor()
    const rows = page.getByRole('region', { name: 'Records side by side' })
    await rows
      .getByText(/withdr/i)
      .first()
      .waitFor()
    await page.getByText('State, B against A').waitFor()
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await look(page, `audit-what-if-${width}-${colorScheme}`)
      await checkAccessible(page, `audit-what-if-${width}`)
    }
    await page.getByRole('button', { name: 'End this fork' }).click()
    await page.getByRole('button', { name: /^Fork after record/ }).waitFor()
    expect(JSON.stringify(await recordsOf(broker.log, journey.sessionId))).toBe(before)
    expect(faults.filter((fault) => !/40[134]/.test(fault))).toEqual([])
  },
)
