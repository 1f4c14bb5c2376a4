import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './raw-http.fixture.ts'
import { OUTSIDE_PAGES, serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'

let api: ServedApi

beforeAll(async () => {
  api = await serveApi()
})

afterAll(() => api.close())

const UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '.%2e/',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '..%252f',
  '..%c0%af',
  '..%ef%bc%8f',
  '..;/',
  './/../',
  '....//',
  '..%00/',
  '%u002e%u002e/',
]

const FILES = ['outside.txt', 'etc/passwd', 'package.json']

const ODD = [
  '/assets/%00',
  '/assets/page.js%00.txt',
  '/assets/page.js%00',
  '/assets/%2fetc%2fpasswd',
  '/assets//etc/passwd',
  '//etc/passwd',
  '/\\etc\\passwd',
  '/assets/C:%5cWindows%5cwin.ini',
  '/assets/file:%2f%2f%2fetc%2fpasswd',
  '/assets/~root/.profile',
  '/assets/.',
  '/assets/..',
  '/assets/.env',
  '/assets/.git/config',
  `/assets/${'a/'.repeat(3_000)}x`,
  `/assets/${'x'.repeat(8_000)}`,
  '/customer/..%2f..%2foutside.txt',
  '/audit/%2e%2e%2foutside.txt',
  '/threads/../../outside.txt',
  'file:///etc/passwd',
  'http://127.0.0.1/../outside.txt',
]

test('[X11] no path leads out of the pages', async ({ annotate }) => {
  const targets = UP.flatMap((up) =>
    FILES.flatMap((file) =>
      [1, 3, 8].flatMap((times) => [
        `/assets/${up.repeat(times)}${file}`,
        `/assets/x/${up.repeat(times + 1)}${file}`,
        `/customer/${up.repeat(times)}${file}`,
        `/${up.repeat(times)}${file}`,
      ]),
    ),
  )
  const paths = [...targets, ...ODD]
  const out: string[] = []
  for (const target of paths) {
    const answer = await ask(api.port, { method: 'GET', target })
    const { status = 500, body = '', headers = {} } = answer ?? {}
    const page = status === 200 && body.startsWith('<!doctype html><title>')
    const closed = status >= 400 && status < 500
    if (!(page || closed) || body.includes(OUTSIDE_PAGES)) out.push(`${target}: ${status} ${body}`)
    if (headers['location'] !== undefined) out.push(`${target} leads to ${headers['location']}`)
  }
  expect(out).toEqual([])
  await annotate(`${out.length} of ${paths.length} hostile paths led out of the pages`, 'promise')
})

test('[X11] the files of the pages are served', async () => {
  const asset = await ask(api.port, { method: 'GET', target: '/assets/page.js' })
  expect([asset?.status, asset?.body]).toEqual([200, 'export {}'])
})
