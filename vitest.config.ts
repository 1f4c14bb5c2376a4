import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['throughline-source', 'module', 'node', 'development|production'] }

/** With `THROUGHLINE_TIER=full` also what takes too long for every run. */
const full = process.env['THROUGHLINE_TIER'] === 'full'
/** What takes the whole machine, and promises seconds of it. */
const ALONE = 'test/streams/*.full.test.ts'
/** Builds the programs that tests start; the full tier starts their sources. */
const programs = full ? [] : ['test/built-programs.ts']

// Many tests start our programs, and most of a start is compiling: the second one finds it done.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  resolve,
  ssr: { resolve: { conditions: ['throughline-source', 'node', 'module'] } },
  test: {
    // Many tests wait for processes, timers and pages: more of them run than there are processors.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    setupFiles: ['test/remove-folders.ts'],
    // Programs that a test starts from here load the sources too, as it does.
    execArgv: ['--conditions=throughline-source'],
    // What a test waits for comes sooner or fails; a second is too short on a machine that is busy.
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', './scripts/count-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'floors',
          include: [
            'src/**/*.test.ts',
            'apps/**/*.test.ts',
            'bench/**/*.test.ts',
            'examples/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: [
            '**/node_modules/**',
            'test/browser/**',
            'test/package/**',
            full ? ALONE : '**/*.full.test.ts',
          ],
          globalSetup: programs,
          // Loading the sources anew takes longer than most files take; none of them keeps anything.
          isolate: full,
          // What takes a second on a quiet machine takes long beside much other work.
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'surfaces',
          include: ['test/browser/**/*.test.ts'],
          exclude: full ? [] : ['**/*.full.test.ts'],
          globalSetup: ['test/browser/built-pages.ts', ...programs],
          // Files share what they load, and one browser.
          isolate: false,
          // A page shares two processors with all others. The run names each test that needed it.
          retry: process.env['CI'] ? 1 : 0,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          exclude: full ? [] : ['**/*.full.test.ts'],
          globalSetup: ['test/package/packed.ts'],
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: full ? [ALONE] : [],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
