import { Hono } from 'hono'
import { createHash } from 'node:crypto'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPages } from './pages.ts'
import { problemResponse, notFound } from '../problems/problem.ts'

const STYLE = 'body { margin: 0 }'
const PAGE = `<!doctype html><title>Page</title><style>${STYLE}</style><p>Opening</p>`
const SCRIPT = 'console.log("page")'.repeat(100)
const folder = mkdtempSync(join(tmpdir(), 'throughline-pages-'))
const app = new Hono()

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(PAGE))
  const script = join(folder, 'assets', 'page-1a2b.js')
  writeFileSync(script, SCRIPT)
  writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
  writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
  writeFileSync(join(folder, 'missing.html'), '<!doctype html><title>No page here</title>')
  const pages = readPages({
    folder,
    routes: {
      '/': 'index.html',
      '/unbuilt': 'unbuilt.html',
      '/outer/:id': 'index.html',
      '/inner/:id': 'index.html',
    },
    frames: { outer: ['/outer/:id'], inner: ['/inner/:id'] },
    missing: 'missing.html',
  })
  pages.mount(app)
  app.notFound((context) => pages.missing(context) ?? problemResponse(notFound('page')))
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
  expect(response.headers.get('cache-control')).toBe('no-store')
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

test('a page may load fonts from its own server and from nowhere else', async () => {
  const { headers } = await app.request('/')

  expect(headers.get('content-security-policy')?.split('; ')).toContain("font-src 'self'")
})

const framingOf = async (path: string) => {
  const { headers } = await app.request(path, { headers: { accept: 'text/html' } })
  const rules = headers.get('content-security-policy')?.split('; ') ?? []
  return rules.filter((rule) => rule.startsWith('frame-'))
}

test('[surfaces 61] only the pages named for it may be framed, by pages of their own origin', async () => {
  expect(await framingOf('/inner/1')).toEqual(["frame-ancestors 'self'"])
  expect(await framingOf('/outer/1')).toEqual(["frame-src 'self'", "frame-ancestors 'none'"])
  expect(await framingOf('/')).toEqual(["frame-ancestors 'none'"])
  expect(await framingOf('/missing')).toEqual(["frame-ancestors 'none'"])
})

test('[surfaces 61] a browser gets a page with status 404 for an unknown address', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const answer = await app.request('/nowhere', { headers: { accept } })

  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(answer.headers.get('vary')).toBe('accept, accept-encoding')
  expect(await answer.text()).toContain('No page here')
})

test.each([
  ['/nowhere', { accept: '*/*' }],
  ['/nowhere', {}],
  ['/api/nowhere', { accept: 'text/html' }],
  ['/assets/nowhere.js', { accept: 'text/html' }],
])(
  '[surfaces 61] an API client gets a problem for an unknown address: %s %o',
  async (path, headers) => {
    const answer = await app.request(path, { headers })

    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  },
)

test('[surfaces 52] a page is sent compressed to a browser that accepts it, with a tag of its own', async () => {
  const plain = await app.request('/')
  const response = await app.request('/', { headers: { 'accept-encoding': 'gzip, br' } })

  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('vary')).toMatch(/accept-encoding/i)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(response.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(brotliDecompressSync(bytes).toString()).toBe(PAGE)
  expect(await plain.text()).toBe(PAGE)
})

test('[surfaces 52] the content policy allows the style in the HTML by its hash and no other', async () => {
  const { headers } = await app.request('/', { headers: { 'accept-encoding': 'br' } })
  const hash = createHash('sha256').update(STYLE).digest('base64')

  const policy = headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain(`style-src 'self' 'sha256-${hash}'`)
  expect(policy).toContain("script-src 'self'")
})

test('pages are read from the disk once, so that a build that replaces them disturbs no request', async () => {
  rmSync(join(folder, 'index.html'))
  rmSync(join(folder, 'index.html.br'))
  writeFileSync(join(folder, 'unbuilt.html'), PAGE)
  const answers = await Promise.all([
    app.request('/'),
    app.request('/', { headers: { 'accept-encoding': 'br' } }),
    app.request('/unbuilt'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 500])
  expect(await answers[0]?.text()).toBe(PAGE)
})

test.each([
  ['br;q=0, gzip', undefined],
  ['br;q=0.5', 'br'],
  ['BR', 'br'],
  ['identity', undefined],
])('a page for the accepted encodings %s is sent with the encoding %s', async (header, sent) => {
  const { headers } = await app.request('/', { headers: { 'accept-encoding': header } })
  expect(headers.get('content-encoding') ?? undefined).toBe(sent)
})
