import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { newFolder } from '../folders.fixture.ts'

/** A language that writes money, dates and numbers otherwise than the pages' own. */
export const OTHER_LOCALE = 'de-DE'

const PAGES = ['customer/index.html', 'customer/hosted/index.html', 'installer/index.html'].map(
  (page) => `broker/${page}`,
)
const WORDS = /\/(?:[\w-]+-)?words\.ts$/
const EXPORTED = /^export const (\w+) = /gm

/** Builds pages, the broker's unless others are named, with every module of words, and the locale, replaced. */
export async function buildPseudoPages(pages: readonly string[] = PAGES): Promise<string> {
  const folder = newFolder()
  const mode = process.env['NODE_ENV']
  // React is bundled for whom it says that the pages are for.
  process.env['NODE_ENV'] = 'production'
  try {
    await build({
      configFile: false,
      root: resolve('apps'),
      logLevel: 'error',
      plugins: [pseudoWords(), react()],
      resolve: { conditions: ['throughline-source', 'module', 'browser', 'production'] },
      build: {
        outDir: folder,
        target: 'es2023',
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: pages.map((page) => resolve('apps', page)) },
      },
    })
  } finally {
    process.env['NODE_ENV'] = mode
  }
  return folder
}

function pseudoWords(): Plugin {
  const pseudo = JSON.stringify(resolve('test/browser/pseudo-words.fixture.ts'))
  return {
    name: 'pseudo-words',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('/kit/locale.ts')) return code.replace('en-GB', OTHER_LOCALE)
      if (!WORDS.test(id)) return undefined
      const names = Array.from(code.matchAll(EXPORTED), ([, name]) => name)
      const plain = code.replaceAll(EXPORTED, 'const plain_$1 = ')
      const again = names.map((name) => `export const ${name} = pseudo(plain_${name})`)
      return `import { pseudo } from ${pseudo}\n${plain}\n${again.join('\n')}\n`
    },
  }
}
