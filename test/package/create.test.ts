import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { readerFolder } from './reader-folder.fixture.ts'

const reader = readerFolder('react', 'react-dom', 'scheduler')
const cli = join(reader, 'node_modules/throughline/dist/lib/cli.js')

function create(folder: string) {
  const args = [cli, 'create', folder]
  return execFileSync(process.execPath, args, { cwd: reader, encoding: 'utf8', stdio: 'pipe' })
}

test('a new application runs as it was written: its test, its page, its agent and a click', async () => {
  expect(create('shop')).toContain('cd shop && npm install')
  const shop = join(reader, 'shop')
  cpSync(join(reader, 'node_modules'), join(shop, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  execFileSync(process.execPath, ['--test', 'rules.ts'], { cwd: shop, stdio: 'pipe' })
  await build({ root: shop, logLevel: 'error' })
  const env = { PATH: process.env['PATH'], PORT: '0', STORE: 'sqlite:orders.db' }
  const server = spawn(process.execPath, ['server.ts'], {
    cwd: shop,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [said] = (await once(server.stdout, 'data')) as [Buffer]
  const url = /Open (\S+)/.exec(String(said))?.[1] ?? ''
  expect(await (await fetch(url)).text()).toContain('<title>Your order</title>')
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/api/threads/order-1/runs', { agent: 'clerk', input: 'Some tea, please' })
  const state = async () => {
    const response = await fetch(`${url}/api/threads/order-1/state`)
    return ((await response.json()) as { readonly state?: unknown }).state
  }
  await expect.poll(state).toEqual({ status: 'placed', pounds: 40 })
  await post('/api/threads/order-1/events', { events: [{ type: 'paid', data: {} }] })
  expect(await state()).toEqual({ status: 'paid', pounds: 40 })
  const second = spawnSync(process.execPath, ['server.ts'], { cwd: shop, env, encoding: 'utf8' })
  expect([second.status, second.stderr]).toEqual([75, expect.stringContaining('another process')])
})

test('a new application passes the check of its types', () => {
  create('typed')
  const typed = join(reader, 'typed')
  const packages = ['react', 'react-dom', 'node'].map((name) => `@types/${name}`)
  for (const name of [...packages, 'csstype', 'undici-types']) {
    const from = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
    cpSync(from, join(typed, 'node_modules', name), { recursive: true })
  }
  const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
  const checked = spawnSync(process.execPath, [tsc], { cwd: typed, encoding: 'utf8' })
  expect(checked.stdout).toBe('')
})

test('the package is installed from where the project around has it', () => {
  writeFileSync(
    join(reader, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { throughline: 'file:../throughline.tgz' } }),
  )
  create('nested/desk')
  const manifest = JSON.parse(readFileSync(join(reader, 'nested/desk/package.json'), 'utf8')) as {
    readonly name: string
    readonly dependencies: Readonly<Record<string, string>>
  }
  expect(manifest.name).toBe('desk')
  expect(manifest.dependencies['throughline']).toBe('file:../../../throughline.tgz')
})

test('nothing is written into a folder that holds something', () => {
  const before = readdirSync(reader)
  expect(() => create('.')).toThrow(/it is not empty/)
  expect(readdirSync(reader)).toEqual(before)
})
