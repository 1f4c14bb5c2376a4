import { rm } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CUSTOMER_STEPS,
  Journey,
  REFERENCE_SENTENCE,
  acceptOffer,
  handOver,
} from '../../apps/broker/journeys/journey.fixture.ts'
import { request } from '../../apps/broker/journeys/served-broker.fixture.ts'
import { HELD, heldReplies } from '../../apps/broker/journeys/held-replies.fixture.ts'
import { FIRM } from '../../apps/broker/disclosures/firm.ts'
import { builtInPanel } from '../../apps/broker/lenders/index.ts'
import type { LenderPanel } from '../../apps/broker/lenders/index.ts'
import type { Json } from '../../src/json/index.ts'
import { sharedChromium, look, noChromium, openPage } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'
import { hardCoded, misplaced, textsIn, unlocalised } from './pseudo-check.fixture.ts'
import { nextCard, seeDetails } from './pseudo-details.fixture.ts'
import { buildPseudoPages } from './pseudo-pages.fixture.ts'
import { pseudo } from './pseudo-words.fixture.ts'

let browser: Browser
let broker: Awaited<ReturnType<typeof servePages>>
let folder: string

beforeAll(async () => {
  if (noChromium) return
  const pages = buildPseudoPages()
  browser = await sharedChromium()
  folder = await pages
  const model = heldReplies((newest) => newest.includes(HOLD))
  broker = await servePages({ model, folder, panel })
})

afterAll(async () => {
  if (noChromium) return
  await broker.close()
  await rm(folder, { recursive: true })
})

/** The lenders answer once this has. */
let lendersAnswer: Promise<void> = Promise.resolve()
const panel: LenderPanel = {
  lenders: builtInPanel.lenders,
  async decide(...asked) {
    await lendersAnswer
    return builtInPanel.decide(...asked)
  },
}

/** The model's reply to this message never ends. */
const HOLD = 'Say more than I want to hear'

const SMALL = { width: 320, height: 640 }
const SIZES = [SMALL, { width: 360, height: 780 }, { width: 768, height: 1_024 }] as const
const DIRECTIONS = ['ltr', 'rtl'] as const

/** Walks a page through its states and looks at each in every size and both directions. */
class Walk {
  readonly page: Page
  readonly journey: Journey
  readonly #given = new Set<string>([FIRM.name])

  constructor(page: Page, journey: Journey) {
    this.page = page
    this.journey = journey
    // Names stay as they are in every language.
    this.gives(journey.sessionId.slice(-12), 'Clearpath')
  }

  /** Opens the page of one side and waits until it has loaded. */
  async open(side: 'customer' | 'installer', query = ''): Promise<void> {
    const { sessionId, tokens } = this.journey
    await this.page.goto(`${broker.url}/${side}/${sessionId}${query}#token=${tokens[side]}`)
    await this.page.locator('main textarea, [data-card-heading]').first().waitFor()
  }

  async see(name: string): Promise<void> {
    await this.#learn()
    expect([name, await hardCoded(this.page, this.#given)]).toEqual([name, []])
    expect([name, await unlocalised(this.page)]).toEqual([name, []])
    for (const size of SIZES) {
      await this.page.setViewportSize(size)
      for (const dir of DIRECTIONS) {
        await this.#turn(dir)
        const faults = await misplaced(this.page)
        expect([name, dir, size.width, faults]).toEqual([name, dir, size.width, []])
      }
    }
    await checkAccessible(this.page, `${name}, rtl`)
    await this.#keep(`pseudo-${name}`)
    await this.#turn('ltr')
  }

  #turn(dir: (typeof DIRECTIONS)[number]): Promise<void> {
    return this.page.evaluate((to) => document.documentElement.setAttribute('dir', to), dir)
  }

  async #keep(name: string): Promise<void> {
    await look(this.page, `${name}-768-rtl`)
    await this.page.setViewportSize(SMALL)
    await this.page.emulateMedia({ colorScheme: 'dark' })
    await look(this.page, `${name}-320-rtl-dark`)
    await this.page.emulateMedia({ colorScheme: 'light' })
  }

  /** Notes texts from the server and the log, which are not the page's own words. */
  async #learn(): Promise<void> {
    const { sessionId, tokens } = this.journey
    const ask = (path: string, side: 'installer' | 'customer' = 'customer') =>
      request(`${broker.url}/api${path}`, { token: tokens[side] }).then(({ body }) => body)
    const shown = (await this.journey.state())['disclosures']
    const ids = [...(shown as { id: string }[]).map(({ id }) => id), ...DISCLOSURES]
    const answers: readonly Json[] = [
      await ask(`/session/${sessionId}`),
      await ask(`/session/${sessionId}`, 'installer'),
      await ask('/firm'),
      await ask(`/session/${sessionId}/next-steps`),
      ...(await Promise.all([...new Set(ids)].map((id) => ask(`/disclosures/${id}`)))),
    ]
    for (const text of answers.flatMap(textsIn)) this.#given.add(text)
  }

  gives(...texts: readonly string[]): void {
    for (const text of texts) this.#given.add(text)
  }
}

const DISCLOSURES = [
  'service_status',
  'credit_search_consent',
  'pre_contract_summary',
  'decline_signposting',
]

async function walk(scenario: string): Promise<Walk> {
  const { page } = await openPage(browser, SMALL)
  return new Walk(page, await Journey.start(broker, scenario))
}

test('[surfaces 18] pseudo-localised words are 40 % longer and keep their inserted values', () => {
  const { plain, told } = pseudo({ plain: 'Continue', told: (name: string) => `By ${name}.` })
  expect(plain).toBe('⟦Çöööööñţîñûé⟧')
  expect(told('Ann Lee')).toMatch(/^⟦\S+ Ann Lee\.⟧$/)
  expect(plain.length).toBeGreaterThanOrEqual('Continue'.length * 1.4)
})

const propose = ({ sessionId, tokens }: Journey, type: string, data: Json) =>
  request(`${broker.url}/api/threads/${sessionId}/events`, {
    token: tokens.customer,
    body: { events: [{ type, data }] },
  })

test.skipIf(noChromium)(
  '[surfaces 16] [surfaces 18] each card of the customer’s page has only text from its words, fits at 320 pixels with 40 % longer words, and works in both directions',
  async () => {
    const seen = await walk('counter')
    const { page, journey } = seen
    await seen.open('customer')
    await seen.see('handoff')
    await nextCard(page, () => handOver(journey))
    const step = (at: number) => nextCard(page, async () => CUSTOMER_STEPS[at]?.(journey))
    await CUSTOMER_STEPS[0]?.(journey)
    await page.locator('#full-text').waitFor()
    await seen.see('service-status')
    await step(1)
    await page.locator('form button[type=submit]').first().click()
    await seen.see('eligibility')
    await step(2)
    await page.locator('details summary').click()
    await seen.see('quote')
    await step(3)
    await page.locator('#email').fill('x')
    await page.locator('form button[type=submit]').first().click()
    await seen.see('email')
    await step(4)
    await seeDetails(seen)
    await nextCard(page, async () => CUSTOMER_STEPS[5]?.(journey))
    await page.locator('form button[type=submit]').first().click()
    await seen.see('vulnerability')
    await step(6)
    await seen.see('consent')
    await nextCard(page, () =>
      journey.click(['capture_consent', { consentType: 'credit_search', granted: false }]),
    )
    await seen.see('consent-refused')
    await step(7)
    await seen.see('pre-contract')
    await page.goBack()
    await seen.see('answered')
    await page.goForward()
    const offered = Promise.withResolvers<void>()
    lendersAnswer = offered.promise
    await nextCard(page, () =>
      propose(journey, 'acknowledge_disclosure', { id: 'pre_contract_summary' }),
    )
    await seen.see('asking')
    await nextCard(page, async () => {
      offered.resolve()
      await journey.turn('customer', {})
    })
    await seen.see('counter')
    const answered = Promise.withResolvers<void>()
    lendersAnswer = answered.promise
    await nextCard(page, () => propose(journey, 'refuse_counter_offer', {}))
    await seen.see('waterfall')
    await nextCard(page, async () => answered.resolve())
    await seen.see('declined')
  },
)

test.skipIf(noChromium)(
  '[surfaces 16] [surfaces 18] so do the cards at the end, dialogs, and the broker’s own page',
  async () => {
    const seen = await walk('clean')
    const { page, journey } = seen
    await handOver(journey)
    for (const step of CUSTOMER_STEPS.slice(0, 1)) await step(journey)
    await seen.open('customer', '?demo=1&trust=low')
    const way = async (item: number): Promise<void> => {
      await page.locator('header button[popovertarget]').click()
      await page.locator('header li button').nth(item).click()
      await page.locator('dialog[open]').waitFor()
    }
    await page.locator('header button[popovertarget]').click()
    await seen.see('help')
    await page.keyboard.press('Escape')
    for (const [item, name] of [
      [0, 'person'],
      [2, 'answers'],
      [4, 'withdraw'],
    ] as const) {
      await way(item)
      await seen.see(name)
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    }
    await page.locator('button[aria-haspopup=dialog]').click()
    await seen.see('ask')
    await page.goBack()
    await page.locator('header button[popovertarget]').click()
    await nextCard(page, () => page.locator('header li button').nth(3).click())
    await seen.see('left')
    await nextCard(page, () => page.goBack())
    const { sessionId, tokens } = journey
    const hosted = `${broker.url}/broker/disclosure/${sessionId}/service_status`
    await page.goto(`${hosted}#token=${tokens.customer}`)
    await page.locator('[data-card-heading]').waitFor()
    await page.locator('main ~ div button').last().waitFor()
    await seen.see('hosted')
    await nextCard(page, () => page.locator('main ~ div button').last().click())
    await seen.see('hosted-recorded')
    for (const step of CUSTOMER_STEPS.slice(2)) await step(journey)
    await seen.open('customer')
    await seen.see('offer')
    await nextCard(page, () => acceptOffer(journey))
    await seen.see('finished')
    const unanswered = await walk('clean')
    await handOver(unanswered.journey)
    await unanswered.open('customer')
    await nextCard(unanswered.page, () => propose(unanswered.journey, 'withdraw', {}))
    await unanswered.see('withdrawn')
    await page.context().setOffline(true)
    await page.locator('[role=status]').first().waitFor()
    await seen.see('offline')
  },
)

test.skipIf(noChromium)(
  '[surfaces 16] [surfaces 18] so does the installer’s page, with a reply that is stopped, its facts and its link',
  async () => {
    const seen = await walk('clean')
    const { page, journey } = seen
    await seen.open('installer')
    await seen.see('installer-empty')
    await page.locator('textarea').fill(HOLD)
    await page.locator('textarea').press('Enter')
    await page.getByText(HELD).waitFor()
    seen.gives(HELD, HOLD)
    await seen.see('installer-replying')
    await page.locator('textarea').press('Escape')
    await page.getByRole('log').getByText(HELD).waitFor()
    await seen.see('installer-stopped')
    await journey.say('installer', REFERENCE_SENTENCE)
    await page.locator('main button').nth(1).click()
    await page.locator('main ul > li').first().waitFor()
    await seen.see('installer-facts')
    await page.locator('main section button, main button').last().click()
    await seen.see('installer-link')
  },
)
