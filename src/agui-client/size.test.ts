import { expect, test } from 'vitest'
import { bundledBytes } from '../client/bundled-bytes.fixture.ts'

// Most of the first is the schemas of the protocol and zod, which runs them. Both hold the table of items.
test.each([
  ["export { AguiThread } from './src/agui-client/index.ts'", 43_000],
  ["export { ThreadFold } from './src/agui-client/index.ts'", 5_750],
])('%s fits into %i bytes', async (code, bytesMax) => {
  expect(await bundledBytes(code)).toBeLessThanOrEqual(bytesMax)
})
