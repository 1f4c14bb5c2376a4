import { Hono } from 'hono'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountPages } from './pages.ts'

const SCRIPT = 'console.log("page")'.repeat(100)
const folder = mkdtempSync(join(tmpdir(), 'throughline-pages-'))
const app = new Hono()

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>')
  const script = join(folder, 'assets', 'page-1a2b.js')
  writeFileSync(script, SCRIPT)
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
  mountPages(app, { folder, routes: { '/': 'index.html' } })
})
afterAll(() => rmSync(folder, { recursive: true }))

test('[W12] an asset is sent compressed to a browser that accepts it, and may be cached for a year', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  const response = await app.request('/assets/page-1a2b.js', { headers })

  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
  expect(response.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(brotliDecompressSync(bytes).toString()).toBe(SCRIPT)
})

test('[W12] a client that accepts no encoding gets the asset as it is', async () => {
  const response = await app.request('/assets/page-1a2b.js')

  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe(SCRIPT)
})

test('[W12] a missing asset may not be cached', async () => {
  const response = await app.request('/assets/page-9z9z.js')

  expect(response.status).toBe(404)
  expect(response.headers.get('cache-control')).toBeNull()
})

test('[W12] a page that the browser holds already is answered with 304 and no body', async () => {
  const first = await app.request('/')
  const tag = first.headers.get('etag') ?? ''
  expect(tag).not.toBe('')

  const again = await app.request('/', { headers: { 'if-none-match': tag } })

  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  expect(again.headers.get('cache-control')).toBe('no-cache')
})
