import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { preactForReact } from './scripts/pages/preact-for-react.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The pages that the package ships: they may lie under any prefix, so their addresses are relative. */
export default defineConfig({
  root: at('apps/pages/studio'),
  base: './',
  plugins: [preactForReact('client')],
  resolve: { conditions: ['throughline-source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: at('dist/studio'),
    emptyOutDir: true,
    target: 'es2023',
    // The page's content policy allows neither inline code nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'threads.html'].map((page) => at(`apps/pages/studio/${page}`)),
      // The hooks' directive is for servers that render; these pages are clients.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log)
      },
    },
  },
})
