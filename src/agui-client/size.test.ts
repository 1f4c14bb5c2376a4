import { expect, test } from 'vitest'
import { bundledBytes } from '../client/bundled-bytes.fixture.ts'

// Most of it is the schemas of the protocol and zod, which runs them.
test.each([
  ["export { AguiThread } from './src/agui-client/index.ts'", 43_000],
  ["export { ThreadFold } from './src/agui-client/index.ts'", 5_250],
])('%s fits into %i bytes', async (code, bytesMax) => {
  expect(await bundledBytes(code)).toBeLessThanOrEqual(bytesMax)
})
