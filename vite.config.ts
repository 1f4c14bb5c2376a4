import react from '@vitejs/plugin-react'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const PAGES = [
  'home/index.html',
  'broker/customer/index.html',
  'broker/customer/hosted/index.html',
  'broker/installer/index.html',
  'studio/index.html',
  'studio/thread/index.html',
]

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const COMPRESSIBLE = /\.(?:js|css|svg)$/
const ENCODERS = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** Writes a Brotli and a gzip copy beside each asset, so that the server compresses nothing. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      const names = (await readdir(assets)).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => writeEncoded(join(assets, name))))
    },
  }
}

async function writeEncoded(path: string): Promise<void> {
  const content = await readFile(path)
  for (const [extension, encode] of Object.entries(ENCODERS)) {
    await writeFile(`${path}.${extension}`, await encode(content))
  }
}

export default defineConfig({
  root: at('apps'),
  plugins: [react(), precompress()],
  resolve: { conditions: ['throughline-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: at('dist/pages'),
    emptyOutDir: true,
    target: 'es2023',
    // The pages' content policy allows neither inline code nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: PAGES.map((page) => at(`apps/${page}`)) },
  },
})
