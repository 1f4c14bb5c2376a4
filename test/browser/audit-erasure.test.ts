import { expect, test } from 'vitest'
import { DESK, revealOn } from './audit-page.fixture.ts'
import { noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { openOperatedAudit, signInAsOperator } from './operated-audit.fixture.ts'
import { recordsOf } from '../memory-log.fixture.ts'

/** The personal data of the customer in the records of a finished case. */
const PERSONAL = /Sarah|Jones|sarah@|0?7700 ?900|1984-|"Employed"|Kingsmere|oh seven/i

test.skipIf(noChromium)(
  '[L4] a case is erased on its audit page while its data is revealed there, with a reason and after a warning',
  async () => {
    const { page, faults, broker, journey } = await openOperatedAudit()
    await revealOn(page)
    await expect.poll(() => page.content()).toMatch(PERSONAL)
    await page.getByRole('button', { name: 'Erase this person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Erase this person for ever?' })
    await expect.poll(() => dialog.textContent()).toContain('Nobody can undo this')
    await checkAccessible(page, 'the erasure, asked')
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    await expect.poll(() => dialog.textContent()).toContain('Enter the reason')
    expect(await recordsOf(broker.log, 'throughline-erasures')).toEqual([])
    const open = await Promise.all(
      (['customer', 'installer'] as const).map((side) => openSide(side, { broker, journey })),
    )
    await dialog.getByLabel('Why is the person erased?').fill('A letter of 3 March')
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    await expect.poll(() => dialog.textContent()).toContain('Only an operator may do this')
    await signInAsOperator(page)
    await dialog.getByRole('button', { name: 'Erase for ever' }).click()
    const status = page.getByRole('region', { name: 'Erasure' }).getByRole('status')
    await expect.poll(() => status.textContent()).toMatch(/^Erased on .+: A letter of 3 March$/)
    await expect.poll(() => page.content()).not.toMatch(PERSONAL)
    const reveal = page.getByRole('button', { name: 'Reveal personal data' })
    await expect.poll(() => reveal.count()).toBe(0)
    await checkAccessible(page, 'the erasure, done')
    await page.reload()
    await status.waitFor()
    expect(await page.content()).not.toMatch(PERSONAL)
    expect(faults).toEqual([])
    const stored = JSON.stringify(await recordsOf(broker.log, journey.sessionId))
    expect(stored).not.toMatch(PERSONAL)
    for (const opened of open) {
      await expect
        .poll(() => opened.page.getByRole('heading', { level: 1 }).textContent())
        .toMatch(/^This (application|case) was erased$/)
      expect(await opened.page.content()).not.toMatch(PERSONAL)
      await checkAccessible(opened.page, 'an erased case')
      await opened.page.reload()
      await opened.page.getByRole('heading', { name: /was erased$/ }).waitFor()
      expect(opened.faults).toEqual([])
    }
  },
)

/** The page of a side, once it shows the case. */
async function openSide(
  side: 'customer' | 'installer',
  { broker, journey }: Pick<Awaited<ReturnType<typeof openOperatedAudit>>, 'broker' | 'journey'>,
) {
  const opened = await openPage(await sharedChromium(), DESK)
  const token = journey.tokens[side]
  await opened.page.goto(`${broker.url}/${side}/${journey.sessionId}#token=${token}`)
  const shown = side === 'customer' ? /Harbour Bank/ : /\w{3}/
  await expect.poll(() => opened.page.getByRole('main').textContent()).toMatch(shown)
  return opened
}
