import { beforeAll, expect, test } from 'vitest'
import type { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { DESK, finishedCase, openAudit } from './audit-page.fixture.ts'
import type { AuditedCase } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { PHONE, intercept, look, noChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'

const site = brokerSite()
let journey: Journey

beforeAll(async () => {
  if (!noChromium) journey = await finishedCase(site)
})

const firstOfRule = ({ records }: AuditedCase, rule: string) => {
  const fired = records.find(({ origin }) => origin.rule === rule)
  const cause = records.find(({ id }) => id === fired?.origin.cause)
  return { seq: fired?.seq ?? -1, cause: cause?.seq ?? -1 }
}

test.skipIf(noChromium)(
  'the page shows what a record changed, which rule and which record led there, and all records that set a value',
  async () => {
    for (const viewport of [DESK, PHONE]) {
      const audit = await openAudit(site, journey, viewport)
      const { page, faults, goTo } = audit
      const { seq, cause } = firstOfRule(audit, 'R3')
      await goTo(`?ev=${seq}`)
      if (viewport === PHONE) await page.getByRole('button', { name: /state at record/ }).click()
      await page.getByText(`What record ${seq} changed`).waitFor()
      await page
        .getByRole('button', { name: /show why/ })
        .first()
        .click()
      const history = page.getByRole('table')
      await history.waitFor()
      expect(await history.getByRole('row').last().textContent()).toMatch(/^\d+.*Rule R3$/)
      const led = page.locator('section', {
        has: page.getByRole('heading', { name: 'What led here' }),
      })
      await led
        .last()
        .getByRole('link', { name: `Record ${cause}` })
        .waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const name = `audit-changes-${viewport.width}-${colorScheme}`
        await look(page, name)
        await checkAccessible(page, name)
      }
      expect(faults).toEqual([])
    }
  },
)

test.skipIf(noChromium)('changes that could not be read are read again on request', async () => {
  const audit = await openAudit(site, journey)
  const release = await intercept(audit.page, '**/changes?**', (route) =>
    route.fulfill({ status: 500 }),
  )
  await audit.goTo(`?ev=${firstOfRule(audit, 'R1').seq}`)
  await audit.page.getByText('The changes could not be read.').waitFor()
  release()
  await audit.page.getByRole('button', { name: 'Try again' }).click()
  await audit.page
    .getByRole('button', { name: /show why/ })
    .first()
    .waitFor()
})
