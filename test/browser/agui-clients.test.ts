import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { bundled } from '../../src/client/bundled-bytes.fixture.ts'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { TABLET, sharedChromium, noChromium, openPage } from './chromium.fixture.ts'

const OPERATOR_TOKEN = 'open-sesame-said-the-operator-of-it'

/** Another site, whose only page loads a stock client. */
async function otherSite(client: string): Promise<string> {
  const code = `import { HttpAgent } from '${client}'; globalThis.HttpAgent = HttpAgent`
  const script = await bundled(code)
  const server = createServer(({ url }, answer) => {
    const isScript = url === '/client.js'
    answer.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    const html = '<!doctype html><title>Another site</title><script type="module" src="/client.js">'
    answer.end(isScript ? script : `${html}</script>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

async function json(url: string, body: object, token: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Readonly<Record<string, unknown>>
}

interface Asked {
  readonly url: string
  readonly threadId: string
  readonly token: string
  readonly says: string
}

/** Asks through the AG-UI client in the page, approves its interrupts, and returns its messages. */
function converse(
  page: Page,
  asked: Asked,
): Promise<{ roles: string[]; last: string; asked: number }> {
  return page.evaluate(async ({ url, threadId, token, says }) => {
    interface Agent {
      messages: { role: string; content?: string }[]
      pendingInterrupts?: { id: string }[]
      addMessage(message: object): void
      runAgent(input?: object, subscriber?: object): Promise<unknown>
    }
    const { HttpAgent } = globalThis as unknown as { HttpAgent: new (options: object) => Agent }
    const agent = new HttpAgent({ url, threadId, headers: { authorization: `Bearer ${token}` } })
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: says })
    let interrupts: { id: string }[] = []
    const onRunFinishedEvent = ({
      event,
    }: {
      event: { outcome?: { interrupts?: typeof interrupts } }
    }) => {
      interrupts = event.outcome?.interrupts ?? []
    }
    await agent.runAgent({}, { onRunFinishedEvent })
    let approvals = 0
    while (interrupts.length > 0 && approvals < 5) {
      approvals++
      const resume = interrupts.map(({ id }) => ({
        interruptId: id,
        status: 'resolved',
        payload: { approved: true },
      }))
      await agent.runAgent({ resume }, { onRunFinishedEvent })
    }
    return {
      roles: agent.messages.map(({ role }) => role),
      last: agent.messages.at(-1)?.content ?? '',
      asked: approvals,
    }
  }, asked)
}

const CLIENTS = ['@ag-ui/client', 'ag-ui-client-0'].slice(0, timesInTier({ quick: 1, full: 2 }))

for (const client of CLIENTS) {
  test.skipIf(noChromium)(
    `[surfaces 48] ${client} on a page of another site talks with desk and broker, and approves`,
    async () => {
      const site = await otherSite(client)
      const server = await startServer({
        DATA_DIR: await emptyFolder(),
        OPERATOR_TOKEN,
        ALLOWED_ORIGINS: site,
      })
      onTestFinished(async () => void (await server.end('SIGTERM')))
      const { url } = server
      const caller = await json(
        `${url}/api/tokens`,
        { subject: 'ann', agents: ['desk'] },
        OPERATOR_TOKEN,
      )
      const { page, faults } = await openPage(await sharedChromium(), TABLET)
      await page.goto(site)
      await page.waitForFunction(() => 'HttpAgent' in globalThis)

      const desk = await converse(page, {
        url: `${url}/agui/desk`,
        threadId: crypto.randomUUID(),
        token: String(caller['token']),
        says: 'Please refund order 4711, it arrived broken.',
      })
      expect(desk).toMatchObject({ asked: 1 })
      expect(desk.roles.at(-1)).toBe('assistant')
      expect(desk.last).toContain('£89.00')

      const made = await json(`${url}/api/session`, { demoScenario: 'clean' }, OPERATOR_TOKEN)
      const { installer } = made['tokens'] as { readonly installer: string }
      const broker = await converse(page, {
        url: `${url}/agui/installer`,
        threadId: String(made['sessionId']),
        token: installer,
        says: 'Customer is Sarah, seventeen and a half thousand pounds solar plus battery.',
      })
      expect(broker.roles).toEqual(['user', 'assistant'])
      expect(broker.last).not.toBe('')
      expect(faults).toEqual([])
    },
  )
}
