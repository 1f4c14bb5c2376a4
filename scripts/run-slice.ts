import { spawnSync } from 'node:child_process'
import { SLICES, filesOf, sliceOf } from './slice.ts'

/** Runs a slice of the full tier: that of the day, or the one that is named. */
function runSlice(named = String(sliceOf(new Date()))): void {
  const slice = Number(named)
  if (!Number.isInteger(slice) || slice < 0 || slice >= SLICES) {
    console.error(`Cannot run slice "${named}": slices are 0 to ${SLICES - 1}`)
    process.exit(2)
  }
  const files = filesOf(slice)
  console.log(`Slice ${slice} of the full tier: ${files.length} files`)
  const reporters = ['default', './scripts/count-reporter.ts', './scripts/promises-reporter.ts']
  const { status } = spawnSync(
    'vitest',
    ['run', ...reporters.map((name) => `--reporter=${name}`), ...files],
    { stdio: 'inherit', env: { ...process.env, THROUGHLINE_TIER: 'full' } },
  )
  process.exit(status ?? 1)
}

if (import.meta.main) runSlice(process.argv[2])
