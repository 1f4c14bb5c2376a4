import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { helpArticles } from './scripts/pages/help-articles.ts'
import { inlineStyles } from './scripts/pages/inline-styles.ts'
import { preactForReact } from './scripts/pages/preact-for-react.ts'
import { preloadScripts } from './scripts/pages/preload-scripts.ts'
import { precompress } from './scripts/pages/precompress.ts'
import { sharedHead } from './scripts/pages/shared-head.ts'

/** Built with React. */
const OPERATOR_PAGES = [
  'home/index.html',
  'home/demonstration/index.html',
  'home/missing/index.html',
  'components/index.html',
  'broker/installer/index.html',
  'broker/help/index.html',
  'pages/audit/index.html',
  'pages/threads/index.html',
  'pages/studio/index.html',
  'pages/studio/threads.html',
  'team/console/index.html',
]

/** Built with Preact, for phones on slow networks: docs/decisions/libraries.md. */
const CUSTOMER_PAGES = ['broker/customer/index.html', 'broker/customer/hosted/index.html']

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const RESOLVE = {
  conditions: ['throughline-source', 'module', 'browser', 'development|production'],
}

const inputOf = (pages: readonly string[]) => pages.map((page) => at(`apps/${page}`))

/** What three pages or more use is one file: many small ones compress worse and load later. */
const SHARED = { name: 'shared', minShareCount: 3 }

/** What the first script of a customer's page needs to exchange a link, while the rest loads. */
const FIRST = { name: 'first', test: /vite\/preload-helper|\/kit\/enter-page\./ }

/** On a busy machine the build warns of its own slowness. */
const QUIET = { pluginTimings: false }

export default defineConfig({
  root: at('apps'),
  plugins: [
    react(),
    preactForReact('customer'),
    sharedHead(),
    helpArticles(),
    inlineStyles(),
    preloadScripts(),
    precompress(),
  ],
  build: {
    outDir: at('dist/pages'),
    emptyOutDir: true,
    target: 'es2023',
    // The pages' content policy allows neither inline code nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  environments: {
    client: {
      resolve: RESOLVE,
      build: {
        rolldownOptions: {
          input: inputOf(OPERATOR_PAGES),
          checks: QUIET,
          output: { codeSplitting: { groups: [SHARED] } },
        },
      },
    },
    customer: {
      consumer: 'client',
      resolve: RESOLVE,
      build: {
        emptyOutDir: false,
        cssCodeSplit: false,
        // preloadScripts writes the links of these pages.
        modulePreload: false,
        rolldownOptions: {
          input: inputOf(CUSTOMER_PAGES),
          checks: QUIET,
          output: { codeSplitting: { groups: [FIRST] } },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      const { client, customer } = builder.environments
      // One after the other, because the first empties the folder.
      if (client) await builder.build(client)
      if (customer) await builder.build(customer)
    },
  },
})
