import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Rollup } from 'vite'
import { expect, test } from 'vitest'

const ENTRY = 'entry.ts'

/** What a page that imports this loads of it, as it is sent. */
async function bundledBytes(code: string): Promise<number> {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === ENTRY ? `${process.cwd()}/${ENTRY}` : undefined),
    load: (id: string) => (id.endsWith(`/${ENTRY}`) ? code : undefined),
  }
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['throughline-source'] },
    plugins: [entry],
    build: {
      write: false,
      modulePreload: false,
      rollupOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  })
  // Of one build that does not watch.
  const [{ output }] = [built].flat() as [Rollup.RollupOutput]
  return gzipSync(output[0].code).length
}

test.each([
  ["export { subscribe } from './src/client/index.ts'", 6_000],
  ["export * from './src/client/index.ts'", 6_300],
])('%s fits into %i bytes', async (code, bytesMax) => {
  expect(await bundledBytes(code)).toBeLessThanOrEqual(bytesMax)
})
