import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { caseAfter } from '../../apps/broker/journeys/journey.fixture.ts'
import { scriptedNarrator } from '../../apps/broker/narrator/index.ts'
import { scriptedModel } from '../../src/models/index.ts'
import { fullTest } from '../tier.fixture.ts'
import { PHONE, sharedChromium, look, noChromium, openPage } from './chromium.fixture.ts'
import { askLine, openTalk, say } from './customer-page.fixture.ts'
import { checkAccessible, shows } from './journey-steps.fixture.ts'
import { servePages } from './pages-server.fixture.ts'

let browser: Browser

beforeAll(async () => {
  if (noChromium) return
  browser = await sharedChromium()
})

async function openCustomerPage(setting: Partial<Parameters<typeof servePages>[0]>) {
  const broker = await servePages({ folder: inject('pages'), ...setting })
  onTestFinished(() => broker.close())
  const journey = await caseAfter(broker)
  const { page } = await openPage(browser, PHONE)
  await page.goto(`${broker.url}/customer/${journey.sessionId}#token=${journey.tokens.customer}`)
  await shows(page, 'Here is who we are')
  return page
}

/** Checks that the page shows the words, also after a reload, and offers no useless retry. */
async function tells(page: Page, words: string): Promise<void> {
  await openTalk(page)
  const told = page.getByRole('alert').getByText(words)
  await told.waitFor()
  await checkAccessible(page, words)
  await look(page, `missing-reply-${words.split(' ').at(2)}`)
  await page.reload()
  await told.waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
}

const RUDE = 'Say something rude'
const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const DECLINED: LanguageModelV4StreamPart = {
  type: 'finish',
  usage,
  finishReason: { unified: 'content-filter', raw: 'filtered' },
}

test.skipIf(noChromium)(
  '[surfaces 44] a page says that the assistant declined to answer, and not that trying again helps',
  async () => {
    const [model, narrator] = [scriptedModel(() => ''), scriptedNarrator()]
    model.doStream = async (call) => {
      const isRude = JSON.stringify(call.prompt.at(-1)).includes(RUDE)
      if (isRude) return { stream: simulateReadableStream({ chunks: [DECLINED] }) }
      // Both are scripted models, and those are of one version.
      return (narrator as typeof model).doStream(call)
    }
    const page = await openCustomerPage({ model })
    await openTalk(page)
    await say(page, RUDE)
    await tells(page, 'The assistant declined to answer that.')
  },
)

fullTest.skipIf(noChromium)(
  '[surfaces 44] a page says that the assistant has reached the limit of the day',
  async () => {
    const page = await openCustomerPage({ threadLimits: { tokensPerDay: 10 } })
    await askLine(page).getByText('There was no answer.').waitFor()
    await tells(page, 'The assistant cannot reply any more today.')
  },
)
