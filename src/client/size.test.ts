import { expect, test } from 'vitest'
import { bundledBytes } from './bundled-bytes.fixture.ts'

test.each([
  ["export { subscribe } from './src/client/index.ts'", 6_700],
  ["export { ClientError, request, subscribe } from './src/client/index.ts'", 7_100],
  ["export { resumableFetch } from './src/client/index.ts'", 5_000],
  ["export { request, resumableFetch, subscribe } from './src/client/index.ts'", 8_400],
])('%s fits into %i bytes', async (code, bytesMax) => {
  expect(await bundledBytes(code)).toBeLessThanOrEqual(bytesMax)
})
