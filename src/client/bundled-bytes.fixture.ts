import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Rollup } from 'vite'

const ENTRY = 'entry.ts'

/** What a page that imports this loads of it, as it is sent. */
export async function bundledBytes(code: string): Promise<number> {
  return gzipSync(await bundled(code)).length
}

/** The script that a page loads for this module. */
export async function bundled(code: string): Promise<string> {
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
  return output[0].code
}
