import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { newSigningKey, signerOf } from '../../src/checkpoints/index.ts'
import { mounted, report } from '../../src/server/mounted-routes.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { look, noChromium, openPage, sharedChromium } from './chromium.fixture.ts'
import { checkAccessible } from './journey-steps.fixture.ts'

const KEY = newSigningKey('shop.example/log')

/** The page, an export of a thread and its proof, as files. */
async function filesOfThread() {
  const { http, throughline } = await mounted({ checkpointKey: KEY })
  onTestFinished(() => http.close())
  const folder = newFolder()
  const keep = async (name: string, path: string, role = 'operator') => {
    const headers = { caller: JSON.stringify({ role, actor: 'ann' }) }
    const answer = await http.fetch(new Request(`http://any.example${path}`, { headers }))
    const file = join(folder, name)
    writeFileSync(file, await answer.text())
    return file
  }
  const report3 = () =>
    throughline.propose('t', [...report.events, ...report.events, ...report.events])
  await throughline.propose('other', report.events)
  await report3()
  const older = await keep('older.txt', '/api/checkpoint')
  await report3()
  const proof = await keep('proof.json', '/api/threads/t/checkpoint', 'auditor')
  const growth = await keep('growth.json', '/api/checkpoint/consistency?from=2')
  const exported = await keep('t.jsonl', '/api/threads/t/export', 'auditor')
  const page = await keep('verifier.html', '/api/checkpoint/verifier')
  return { folder, older, proof, growth, exported, page }
}

test.skipIf(noChromium)(
  '[L12] a page without a server finds an export sound by its checkpoint, and names what is not',
  async () => {
    const files = await filesOfThread()
    const { page, faults } = await openPage(await sharedChromium(), { width: 360, height: 800 })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(pathToFileURL(files.page).href)
    const verdict = page.getByRole('status')
    const choose = async (label: RegExp, file: string) => page.getByLabel(label).setInputFiles(file)
    await choose(/The export/, files.exported)
    await choose(/The proof of its checkpoint/, files.proof)
    await page.getByLabel(/The key of the log/).fill(signerOf(KEY).verifier)
    await page.getByLabel(/The key of the log/).blur()
    await verdict.getByText('Sound: 6 records of "t"').waitFor()
    await choose(/An older checkpoint/, files.older)
    await verdict.getByText('does not go on from the older one').waitFor()
    await choose(/The proof that the newer/, files.growth)
    await page.getByText('goes on from that of the older one').waitFor()
    await look(page, 'checkpoint-page')
    await checkAccessible(page, 'checkpoint-page')
    const whole = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(whole).toBeLessThanOrEqual(360)
    const text = readFileSync(files.exported, 'utf8')
    const forged = async (name: string, changed: string, said: string) => {
      const file = join(files.folder, name)
      writeFileSync(file, changed)
      await choose(/The export/, file)
      await verdict.getByText(said).waitFor()
    }
    await forged('a.jsonl', text.replace('"smoke"', '"smokE"'), 'record 0 is not the one')
    const lines = text.trim().split('\n')
    const cut = [...lines.slice(0, 4), '{"complete":true,"records":4}', ''].join('\n')
    await forged('b.jsonl', cut, 'record 4 is missing')
    await forged('c.jsonl', text.slice(0, -20), 'Cannot tell')
    await choose(/The export/, files.exported)
    await page
      .getByLabel(/The key of the log/)
      .fill(signerOf(newSigningKey('shop.example/log')).verifier)
    await page.getByLabel(/The key of the log/).blur()
    await verdict.getByText('is not signed by shop.example/log').waitFor()
    expect(asked).toEqual([pathToFileURL(files.page).href])
    expect(faults).toEqual([])
  },
)
