import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { inTier, timesInTier } from '../tier.fixture.ts'
import { emptiedContext, newContext } from './emptied-contexts.fixture.ts'
import type { Viewport } from './emptied-contexts.fixture.ts'

const firstOf = (paths: readonly string[]) => paths.find((path) => existsSync(path))

const CHROMIUM = firstOf([
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
])
/** The headless shell needs half of Chromium's CPU time. The full tier uses Chromium, as people do. */
const EXECUTABLE = inTier({
  quick: firstOf(['/usr/bin/chromium-headless-shell']) ?? CHROMIUM,
  full: CHROMIUM,
})
/**
 * Tests seldom run long enough to pay for what V8 compiles and collects beside them, and a process that
 * has shown a page shows the next one for half the CPU time.
 */
const QUICK_FLAGS = inTier({
  quick: ['--js-flags=--single-threaded', '--renderer-process-limit=1'],
  full: [],
})
const OUTPUT = 'test/.output'

/** Why tests of pages cannot run here, if they cannot. */
export const noChromium = CHROMIUM === undefined

let shared: Promise<Browser> | undefined

/**
 * One browser for all files that this process tests: a start costs as much as a short test. It ends
 * with the process.
 */
export async function sharedChromium(): Promise<Browser> {
  shared ??= launchBrowser(EXECUTABLE)
  // A browser that crashed fails one test, not all that follow.
  if (!(await shared).isConnected()) shared = launchBrowser(EXECUTABLE)
  return shared
}

/** Starts Chromium with speech recognition, which the headless shell lacks. Its caller closes it. */
export const chromiumWithSpeech = (): Promise<Browser> => launchBrowser(CHROMIUM)

function launchBrowser(executablePath: string | undefined): Promise<Browser> {
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...QUICK_FLAGS,
    ],
  })
}

/** Long enough for shared machines, which pause for seconds. */
const PATIENCE_MS = 30_000

export const PHONE = { width: 360, height: 780 }
export const TABLET = { width: 768, height: 1024 }

/** A new context, which ends with the test. */
async function unusedContext(browser: Browser, viewport: Viewport) {
  const context = await newContext(browser, viewport)
  return { context, giveBack: () => context.close() }
}

const takeContext = inTier({ quick: emptiedContext, full: unusedContext })

/** A page in a browser of its own until the test ends, which collects what went wrong on it. */
export async function openPage(browser: Browser, viewport: Viewport) {
  const { context, giveBack } = await takeContext(browser, viewport)
  onTestFinished(giveBack)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const expected = /ERR_CONNECTION|ERR_INCOMPLETE|Failed to load resource|ERR_EMPTY/
    if (message.type() === 'error' && !expected.test(message.text())) faults.push(message.text())
  })
  return { context, page, faults }
}

/**
 * Answers requests until the returned function is called. To take a route away instead may never return: the browser
 * does not answer while it loads another page.
 */
export async function intercept(
  target: Page | BrowserContext,
  pattern: string | RegExp,
  answer: (route: Route) => unknown,
): Promise<() => void> {
  let isReleased = false
  await target.route(pattern, (route) => (isReleased ? route.fallback() : answer(route)))
  return () => {
    isReleased = true
  }
}

/** Loads the page as a browser that lets it store nothing. */
export const blockStorage = (page: Page, names = ['localStorage', 'sessionStorage']) =>
  page.addInitScript((blocked) => {
    const get = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    for (const name of blocked) Object.defineProperty(globalThis, name, { get })
  }, names)

/** In the full tier, writes a screenshot to the output folder; no test compares it. */
export async function look(page: Page, name: string): Promise<void> {
  if (timesInTier({ quick: 0, full: 1 }) === 0) return
  await mkdir(OUTPUT, { recursive: true })
  await page.screenshot({ path: `${OUTPUT}/${name}.png`, fullPage: true })
}
