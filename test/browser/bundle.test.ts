import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { forgedExports } from '../../src/cli/forged-exports.fixture.ts'
import { open } from '../../src/public/index.ts'
import { routes } from '../../src/server/index.ts'
import { mounted } from '../../src/server/mounted-routes.fixture.ts'
import { visit, visitsApp } from '../../src/visits.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { look, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'

const HOSTILE =
  '</script><script>document.title = "broken out"</script><img src=x onerror=alert(1)> <!-- \u2028 \ud800 \t'
const REPORTS = ['The shop is down', HOSTILE, 'It is up again', 'It is down once more']

/** Writes the bundle and the export of a thread into files, changed by a function. */
async function filesOf(role: 'auditor' | 'responder', change = (text: string) => text) {
  const { http, throughline } = await mounted()
  for (const what of REPORTS) {
    await throughline.propose('t', [{ type: 'reported', data: { what } }])
  }
  const folder = newFolder()
  const fileOf = async (name: string, path: string): Promise<string> => {
    const headers = { caller: JSON.stringify({ role, actor: 'ann' }) }
    const request = new Request(`http://any.example/api/threads/t/${path}`, { headers })
    const file = join(folder, name)
    const bytes = Buffer.from(await (await http.fetch(request)).arrayBuffer())
    writeFileSync(file, change(bytes.toString()))
    return file
  }
  const bundle = await fileOf('thread.html', 'bundle')
  return { bundle, exported: await fileOf('thread.jsonl', 'export') }
}

async function openBundle(file: string) {
  const opened = await openPage(await sharedChromium(), { width: 1440, height: 900 })
  const asked: string[] = []
  opened.page.on('request', (request) => asked.push(request.url()))
  await opened.page.goto(pathToFileURL(file).href)
  return { ...opened, asked }
}

const verdictOn = (page: Page) => page.getByRole('status')

test.skipIf(noChromium)(
  'a bundle opens from a file, verifies its chain by itself and sends no request',
  async () => {
    const { bundle, exported } = await filesOf('auditor')
    const { page, faults, asked } = await openBundle(bundle)
    const [, hash = ''] = /"seq":3.*"hash":"(\w+)"/.exec(readFileSync(exported, 'utf8')) ?? []
    await verdictOn(page).getByText(`Sound up to record 3, hash ${hash}`).waitFor()
    expect(await page.getByRole('listitem').count()).toBe(REPORTS.length)
    // Hostile text is text.
    await page.getByText('onerror=alert(1)').waitFor()
    expect(await page.title()).toBe('Thread for an auditor')
    expect(await page.locator('img').count()).toBe(0)
    expect(asked).toEqual([pathToFileURL(bundle).href])
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1440, 'light'],
      [360, 'light'],
      [1440, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await look(page, `bundle-${width}-${colorScheme}`)
      await checkAccessible(page, `bundle-${width}-${colorScheme}`)
      const whole = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(whole).toBeLessThanOrEqual(width)
    }
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)(
  'a bundle with one byte changed names the record, whatever its server says of it',
  async () => {
    const changes = [
      [/is up again/, 'is up agaim', 'Not sound at record 2: its hash'],
      [/("seq":3.*"prev":")./, '$1x', 'Not sound at record 3: it does not name the hash'],
      [/\n\{"seq":2.*/, '', 'Not sound at record 2'],
      [/("seq":0.*"hash":")./, '$1x', 'Not sound at record 0'],
    ] as const
    // The tail is missing, and nothing else in the file tells.
    const { bundle: cut } = await filesOf('auditor', (text) =>
      text
        .replace(/\n\{"seq":3.*/, '')
        .replace('"records":4', '"records":3')
        .replace('"unanchored":0', '"anchored":{"seq":3,"hash":"x","ts":1},"unanchored":0'),
    )
    const { page: cutPage } = await openBundle(cut)
    await verdictOn(cutPage).getByText('Not sound at record 3: it is missing').waitFor()
    for (const [from, to, said] of changes) {
      const { bundle } = await filesOf('auditor', (text) => text.replace(from, to))
      const { page } = await openBundle(bundle)
      await verdictOn(page).getByText(said).waitFor()
    }
  },
)

test.skipIf(noChromium)(
  'a bundle of a role that reads in part has no verdict, and an export can be checked on it',
  async () => {
    const { bundle } = await filesOf('responder', (text) => text.replace('up again', 'up agaim'))
    const { page } = await openBundle(bundle)
    await verdictOn(page).getByText('Cannot tell').waitFor()
    const { exported } = await filesOf('auditor')
    const file = page.getByLabel('Choose an export')
    await file.setInputFiles(exported)
    await verdictOn(page).getByText('Sound up to record 3').waitFor()
    const text = readFileSync(exported)
    const at = text.indexOf('once more')
    writeFileSync(
      exported,
      Buffer.concat([text.subarray(0, at), Buffer.from([0xff]), text.subarray(at + 1)]),
    )
    await file.setInputFiles(exported)
    await verdictOn(page).getByText('Cannot tell: this file cannot be read').waitFor()
    writeFileSync(exported, text.subarray(0, text.lastIndexOf('{"complete"')))
    await file.setInputFiles(exported)
    await verdictOn(page).getByText('Cannot tell: The file breaks off').waitFor()
  },
)

test.skipIf(noChromium)(
  'a bundle of sealed records, of an erased person too, is compared with the anchor of its store',
  async () => {
    const folder = newFolder()
    const tl = await open({ store: `sqlite:${join(folder, 'visits.db')}`, apps: [visitsApp()] })
    onTestFinished(() => tl.close())
    const { fetch: ask } = routes(tl, { authenticate: () => ({ role: 'clerk', actor: 'ann' }) })
    for (const thread of ['kept', 'erased']) await visit(tl, thread, ['Ann', 'a cough'])
    await tl.erase('erased', { by: 'kim', why: 'asked' })
    for (const thread of ['kept', 'erased']) {
      const answer = await ask(new Request(`http://any.example/api/threads/${thread}/bundle`))
      const html = Buffer.from(await answer.arrayBuffer()).toString()
      const file = join(folder, `${thread}.html`)
      writeFileSync(file, html)
      const { page } = await openBundle(file)
      await verdictOn(page).getByText('Sound up to record').waitFor()
      await page.getByText(/The server names the same hash for record \d+/).waitFor()
      await page.getByText(/Of \d+ sealed records it covers the stored data/).waitFor()
      writeFileSync(file, html.replace('"ward":"west"', '"ward":"east"'))
      await page.reload()
      await verdictOn(page).getByText('Not sound at record 0: the shown data differs').waitFor()
    }
    const exported = await ask(new Request('http://any.example/api/threads/kept/export'))
    const { page } = await openBundle(join(folder, 'kept.html'))
    for (const [at, text] of forgedExports(await exported.text()).entries()) {
      const file = join(folder, `forged-${at}.jsonl`)
      writeFileSync(file, text)
      await page.reload()
      await page.getByLabel('Choose an export').setInputFiles(file)
      await page.getByRole('heading', { name: `forged-${at}.jsonl` }).waitFor()
      await verdictOn(page).getByText('Not sound at record 0: it').waitFor()
    }
  },
)
