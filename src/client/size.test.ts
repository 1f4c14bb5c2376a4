import { expect, test } from 'vitest'
import { bundledBytes } from './bundled-bytes.fixture.ts'

test.each([
  ["export { subscribe } from './src/client/index.ts'", 6_600],
  ["export { ClientError, request, subscribe } from './src/client/index.ts'", 7_000],
  ["export { resumableFetch } from './src/client/index.ts'", 3_000],
])('%s fits into %i bytes', async (code, bytesMax) => {
  expect(await bundledBytes(code)).toBeLessThanOrEqual(bytesMax)
})
