import { fileURLToPath } from 'node:url'
import type { Pages } from './pages.ts'

/** The built server stands in `dist/lib`, its source in `src/server/routes`. */
const FOLDER = import.meta.url.endsWith('.ts') ? '../../../dist/studio' : '../studio'

/** The page of any thread, as the package has it: its records, runs, comparisons and forks. */
export const STUDIO_PAGE: Pages = {
  folder: fileURLToPath(new URL(FOLDER, import.meta.url)),
  routes: { '/studio/:id': 'index.html' },
  assets: '/studio/assets',
}
