import { fileURLToPath } from 'node:url'
import type { Pages } from './pages.ts'

/** The built server stands in `dist/lib`, its source in `src/server/routes`. */
const FOLDER = import.meta.url.endsWith('.ts') ? '../../../dist/studio' : '../studio'

/** The pages of any thread, as the package has them: its records, runs, comparisons and forks; and of all threads. */
export const STUDIO_PAGE: Pages = {
  folder: fileURLToPath(new URL(FOLDER, import.meta.url)),
  routes: { '/studio/': 'threads.html', '/studio/:id': 'index.html' },
  assets: '/studio/assets',
}
