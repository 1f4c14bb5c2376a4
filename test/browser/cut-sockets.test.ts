import { expect, test } from 'vitest'
import { Journey } from '../../apps/broker/journeys/journey.fixture.ts'
import { revealOn, rowsOn } from './audit-page.fixture.ts'
import { brokerSite } from './broker-site.fixture.ts'
import { TABLET, noChromium, openPage } from './chromium.fixture.ts'
import { startCuttableProxy } from './cuttable-proxy.fixture.ts'

const site = brokerSite()

/** The pause that the server asks for is half a second; the rest is for a machine under load. */
const BACK_WITHIN_MS = 10_000
const NOTES = 30

test.skipIf(noChromium)(
  '[surfaces 2] [surfaces 3] a page whose sockets are cut comes back by itself, with every record once',
  async () => {
    const proxy = await startCuttableProxy(site.broker.url)
    const { sessionId, tokens } = await Journey.start(site.broker)
    const { page } = await openPage(site.browser, TABLET)
    await page.goto(`${proxy.url}/audit/${sessionId}?view=all#token=${tokens.auditor}`)
    await page.getByText('Live', { exact: true }).waitFor()
    await revealOn(page)
    for (let at = 0; at < NOTES; at++) {
      if (at % 10 === 5) proxy.cut()
      const value = `Note ${at}.`
      const origin = { source: 'system', depth: 0 } as const
      const data = { name: 'throughline.note', value }
      await site.broker.log.append(sessionId, [{ type: 'CUSTOM', data, origin }])
      if (at % 10 === 9) await rowsOn(page).getByText(value).waitFor({ timeout: BACK_WITHIN_MS })
    }
    const told = (await rowsOn(page).allInnerTexts()).flatMap(
      (row) => /The model was told: Note (\d+)\./.exec(row)?.slice(1) ?? [],
    )
    expect(told.map(Number)).toEqual(Array.from({ length: NOTES }, (_, at) => at))
    await page.getByText('Live', { exact: true }).waitFor()
  },
)
