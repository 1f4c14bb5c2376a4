import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'

const KB = 1_000
const SCRIPT = /(?:src|href)="(\/[^"]+\.js)"/g

/** Scripts that a page loads before it is drawn, as they are sent. */
function scriptBytes(page: string): number {
  const folder = inject('pages')
  const html = readFileSync(join(folder, page), 'utf8')
  const scripts = [...html.matchAll(SCRIPT)].map(([, path = '']) => path)
  expect(scripts.length).toBeGreaterThan(0)
  return scripts
    .map((path) => gzipSync(readFileSync(join(folder, path))).length)
    .reduce((sum, bytes) => sum + bytes)
}

test.each([
  ['home/index.html', 110 * KB],
  ['broker/customer/index.html', 112 * KB],
  ['broker/customer/hosted/index.html', 110 * KB],
  ['broker/installer/index.html', 110 * KB],
  ['studio/index.html', 220 * KB],
  ['studio/thread/index.html', 220 * KB],
])('[surfaces 46] the scripts of %s fit into %i bytes', (page, bytes) => {
  expect(scriptBytes(page)).toBeLessThanOrEqual(bytes)
})
