/**
 * Measures what a customer on a slow phone network waits for: the first text, and the first card that
 * can be pressed. Usage: `npm run page-speed`, after `npx vite build`.
 *
 * Every run has a new browser profile and a new case. Chromium delays each request; it adds no time for
 * opening connections or for TLS.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { slowDown, watchTraffic } from '../test/browser/page-traffic.fixture.ts'
import { startServer } from '../test/server-process.fixture.ts'

const RUNS = 5
const NETWORK = { latencyMs: 400, bytesPerSecond: 50_000 }
const GOALS_MS = { firstText: 2_000, firstCard: 4_500 }
const FIRST_BUTTON = 'I understand'

const dataDir = await mkdtemp(join(tmpdir(), 'throughline-page-speed-'))
const server = await startServer({ DATA_DIR: dataDir })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const runs = []
  for (let run = 1; run <= RUNS; run++) runs.push(await openCustomerPage(browser))
  console.table(runs)
  const [load = 0] = loadavg()
  console.log(`${availableParallelism()} cores, load ${load.toFixed(1)}, Node ${process.version}`)
  console.log(`Chromium ${browser.version()}, ${RUNS} runs, medians:`)
  for (const name of ['firstText', 'firstCard'] as const) {
    const ms = medianOf(runs.map((run) => run[name]))
    console.log(`${name} ${ms} ms, goal ${GOALS_MS[name]} ms`)
  }
} finally {
  await browser.close()
  await server.end('SIGTERM')
  await rm(dataDir, { recursive: true })
}

async function openCustomerPage(opened: Browser) {
  const link = await createCase()
  const context = await opened.newContext({ viewport: { width: 360, height: 780 } })
  try {
    const page = await context.newPage()
    const { session, transfers } = await watchTraffic(page)
    await slowDown(session, NETWORK)
    await page.goto(link, { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: FIRST_BUTTON, exact: true, disabled: false })
    await button.waitFor({ timeout: 60_000 })
    const times = await page.evaluate(() => ({
      firstCard: Math.round(performance.now()),
      firstText: Math.round(
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      ),
    }))
    const received = transfers()
    const bytes = received.reduce((sum, transfer) => sum + transfer.bytes, 0)
    return { ...times, requests: received.length, bytes }
  } finally {
    await context.close()
  }
}

const HANDED_OVER = [
  {
    type: 'record_project_facts',
    data: { projectValue: 17_500, depositPct: 10, productSpec: 'panels_battery' },
  },
  {
    type: 'record_customer_contact',
    data: { firstName: 'Sarah', email: 'sarah@example.com', mobile: '07700 900 123' },
  },
  { type: 'generate_customer_link', data: {} },
  { type: 'installer_handoff_complete', data: {} },
]

/** A case that its installer has handed over. */
async function createCase(): Promise<string> {
  const { sessionId, links, tokens } = await post('/api/session', {})
  await post(`/api/threads/${sessionId}/events`, { events: HANDED_OVER }, tokens.installer)
  return new URL(links.customer, server.url).href
}

interface CreatedCase {
  readonly sessionId: string
  readonly tokens: { readonly installer: string }
  readonly links: { readonly customer: string }
}

async function post(path: string, body: object, token?: string): Promise<CreatedCase> {
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Cannot prepare a case: ${path} answers ${response.status}`)
  return (await response.json()) as CreatedCase
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
