import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { post } from '../api/case.fixture.ts'
import type { Case } from '../api/case.fixture.ts'
import { serveApi } from '../api/served-api.fixture.ts'
import type { ServedApi } from '../api/served-api.fixture.ts'
import { caseFullOf } from '../api/stored-text.fixture.ts'
import { revealOn } from './audit-page.fixture.ts'
import { TABLET, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'

/** Short enough for a name, and each part would leave an element behind if it were read as HTML. */
const HOSTILE = [
  '<img src=x onerror=run()>"><script>run()</script><svg onload=run()><a>{{constructor.run()}}',
  `'onfocus='run()' <iframe srcdoc="<b>"><base href=//evil.example>[x](javascript:run())`,
] as const

let browser: Browser
let api: ServedApi

beforeAll(async () => {
  if (noChromium) return
  api = await serveApi({ pages: inject('pages') })
  browser = await sharedChromium()
})

afterAll(async () => {
  if (noChromium) return
  await api.close()
})

/** Elements that no page of ours holds, and addresses that run. */
const FOREIGN =
  'img[src="x"], svg[onload], iframe, base, script:not([src]), [onerror], [onfocus], [href^="javascript"], [src*="evil"]'

async function foreignOn(page: Page): Promise<number> {
  return page.locator(FOREIGN).count()
}

function addressesOf({ sessionId, tokens }: Case, desk: string): readonly string[] {
  return [
    `/installer/${sessionId}#token=${tokens.installer}`,
    `/customer/${sessionId}#token=${tokens.customer}`,
    `/audit/${sessionId}#token=${tokens.auditor}`,
    `/threads/${desk}`,
    '/',
  ]
}

test.skipIf(noChromium)(
  '[X9] script in any text that people enter is shown as text on every page',
  async ({ annotate }) => {
    let foreign = 0
    let shown = 0
    const { page, faults } = await openPage(browser, TABLET)
    for (const text of HOSTILE) {
      const made = await caseFullOf(api, text)
      const desk = `desk-${crypto.randomUUID()}`
      await post(api, `/api/threads/${desk}/runs`, { body: { agent: 'desk', input: text } })
      for (const address of addressesOf(made, desk)) {
        await page.goto(new URL(address, api.url).href)
        // The home page shows no text of people.
        if (address.startsWith('/audit/')) await revealOn(page)
        if (address === '/') await page.getByRole('heading').first().waitFor()
        else await page.getByText(text, { exact: false }).first().waitFor({ state: 'attached' })
        foreign += await foreignOn(page)
        expect(faults, `${address} with ${text}`).toEqual([])
        shown++
      }
    }
    expect(foreign).toBe(0)
    await annotate(
      `${foreign} elements made out of text on ${shown} pages that showed it`,
      'promise',
    )
  },
)
