import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const PAGES = [
  'home/index.html',
  'broker/customer/index.html',
  'broker/customer/hosted/index.html',
  'broker/installer/index.html',
  'studio/index.html',
  'studio/thread/index.html',
]

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('apps'),
  plugins: [react()],
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
