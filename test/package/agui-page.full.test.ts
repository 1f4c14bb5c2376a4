import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { createServer } from 'vite'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { noChromium, openPage, sharedChromium, TABLET } from '../browser/chromium.fixture.ts'
import { readerFolder } from './reader-folder.fixture.ts'

const folder = readerFolder('@ag-ui/client', 'vite', '@types/node')

beforeAll(() => {
  const guide = readFileSync('docs/guide/agui.md', 'utf8')
  for (const [, file = '', text = ''] of guide.matchAll(/^```\w+ ([\w.]+)\n([^]*?)^```$/gm)) {
    writeFileSync(join(folder, file), text)
  }
})

async function startServer(program = 'server.ts') {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { target: /http:\S+:\d+/.exec(String(said))?.[0] ?? '', child }
}

async function servePage(target: string): Promise<string> {
  const vite = await createServer({
    root: folder,
    logLevel: 'error',
    server: { port: 0, host: '127.0.0.1', proxy: { '/agui': { target } } },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return vite.resolvedUrls?.local[0] ?? ''
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

test('the program and the page of the AG-UI guide compile in a strict project', () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = resolve('node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
})

test.skipIf(noChromium)(
  'the page of the AG-UI guide is reloaded in the middle of an answer, stops one, and approves a call',
  async () => {
    const { target } = await startServer()
    const { page, faults } = await openPage(await sharedChromium(), TABLET)
    await page.goto(await servePage(target))
    const talk = page.getByRole('main')

    await say(page, 'Hello')
    await page.getByText('assistant: I handle refunds.').waitFor()
    await page.reload()
    await page.getByText('assistant: I handle refunds.').waitFor()
    const early = (await talk.innerText()).length
    await expect.poll(async () => (await talk.innerText()).length).toBeGreaterThan(early)
    await page.getByRole('button', { name: 'Stop' }).click()

    await say(page, 'Please refund it')
    await page.getByText('refund({"pounds":89})').waitFor()
    const stopped = await page.getByText('assistant: I handle refunds.').innerText()
    expect(stopped.length).toBeLessThan('I handle refunds. Which order is it? '.length * 30)
    await page.reload()
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.getByText('Done: £89 are on their way.').waitFor()
    expect(await page.getByText('Done').count()).toBe(1)
    expect(faults).toEqual([])
  },
)

test.skipIf(noChromium)('the page of the AG-UI guide shows why a run failed', async () => {
  const program = readFileSync(join(folder, 'server.ts'), 'utf8')
  const start = '  ({ messages }) => {'
  expect(program).toContain(start)
  const failing = program.replace(start, `${start}\n    throw new Error('No key')`)
  writeFileSync(join(folder, 'failing.ts'), failing.replace('refunds.db', 'failing.db'))
  const { target } = await startServer('failing.ts')
  const { page } = await openPage(await sharedChromium(), TABLET)
  await page.goto(await servePage(target))
  await say(page, 'Hello')
  await page.getByText('Cannot finish the model call: No key').waitFor()
})
