import type { Browser, BrowserContext, CDPSession } from 'playwright-core'

export interface Viewport {
  readonly width: number
  readonly height: number
}

interface EmptiedContext {
  readonly viewport: Viewport
  readonly context: BrowserContext
  readonly session: CDPSession
  /** Of the pages that the test opened, with which its storage goes. */
  readonly origins: Set<string>
}

/** The contexts that no test is using. */
const free: EmptiedContext[] = []

export function newContext(browser: Browser, viewport: Viewport): Promise<BrowserContext> {
  // Drawing what moves takes a sixth of the time; a test of motion asks for it.
  return browser.newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' })
}

/**
 * A context that other tests have used, without anything that they left but the browser's caches, and
 * what gives it back. Its process has compiled our scripts, which halves the CPU time of opening a page.
 */
export async function emptiedContext(browser: Browser, viewport: Viewport) {
  const { width, height } = viewport
  const at = free.findLastIndex(
    (each) =>
      each.context.browser() === browser &&
      each.viewport.width === width &&
      each.viewport.height === height,
  )
  const [used] = at < 0 ? [] : free.splice(at, 1)
  const taken = used ?? (await openFirst(browser, viewport))
  const giveBack = async (): Promise<void> => {
    await empty(taken)
    free.push(taken)
  }
  return { context: taken.context, giveBack }
}

/** Opens a page that stays, as the process of a context ends with its last page. */
async function openFirst(browser: Browser, viewport: Viewport): Promise<EmptiedContext> {
  const context = await newContext(browser, viewport)
  const staying = await context.newPage()
  await staying.route('**', (route) => route.fulfill({ body: '' }))
  // The port does not matter: a process has the pages of all ports of a host.
  await staying.goto('http://127.0.0.1/')
  const origins = new Set<string>()
  context.on('page', (page) => {
    page.on('framenavigated', (frame) => origins.add(new URL(frame.url()).origin))
  })
  const session = await context.newCDPSession(staying)
  return { viewport, context, session, origins }
}

async function empty({ context, session, origins }: EmptiedContext): Promise<void> {
  const [, ...pages] = context.pages() // The first one stays.
  await Promise.all(pages.map((page) => page.close()))
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  for (const origin of origins) {
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  }
  origins.clear()
}
