import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:html|js|css|svg)$/
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** Writes a Brotli and a gzip copy beside each page and asset, so that the server compresses nothing. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(names.map((name) => writeEncoded(join(dir, name))))
    },
  }
}

async function writeEncoded(path: string): Promise<void> {
  const content = await readFile(path)
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, BROTLI))
  await writeFile(`${path}.gz`, await promisify(gzip)(content))
}
