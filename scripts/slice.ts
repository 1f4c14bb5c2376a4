import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The files of the full tier fall into as many slices as a week has days. */
export const SLICES = 7
const DAY_MS = 86_400_000

/** Files that no slice has: why, and how their paths begin. Only `npm run test:full` runs them in full. */
export const LEFT_OUT: readonly (readonly [why: string, ...paths: string[]])[] = [
  [
    'packages and programs of other makers, which .ci/run installs for the full tier alone',
    'test/browser/assistant-ui.full.test.ts',
    'test/browser/copilotkit.full.test.ts',
    'test/browser/proxy.full.test.ts',
    'test/browser/tanstack.full.test.ts',
    'test/browser/use-chat.full.test.ts',
    'test/clients/',
    'test/programs/producers.full.test.ts',
    'test/real-programs/',
  ],
  [
    'a machine with nothing else to do: they promise seconds',
    'test/durability/failing-disk.test.ts',
    'test/operations/ready.test.ts',
    'test/streams/many-streams.full.test.ts',
    'test/streams/restarts.test.ts',
    'test/streams/stalled-readers.full.test.ts',
  ],
  ['a build of the package', 'test/package/'],
  [
    'more than 20 s of processor time',
    'apps/broker/routes/recovery-seed.test.ts',
    'apps/broker/webhooks/killed-server.test.ts',
    'examples/projections/projections.test.ts',
    'src/agents/any-compaction.test.ts',
    'src/agents/any-tree.test.ts',
    'src/cli/replay.test.ts',
    'src/faces/agui/any-thread.test.ts',
    'src/programs/any-stream.test.ts',
    'src/storage/killed-writer.test.ts',
    'test/api/fuzz.test.ts',
    'test/durability/every-write.test.ts',
    'test/durability/erased-memory.full.test.ts',
    'test/durability/killed-recovery.full.test.ts',
    'test/lender-race.test.ts',
    'test/models/any-mix.test.ts',
    'test/operations/mixed-load.full.test.ts',
    'test/order/any-proposal.test.ts',
    'test/simulation/',
  ],
]

/** The test files that do more in the full tier than in every run. */
export function fullTierFiles(): readonly string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts']
  const files = execFileSync('git', listed, { encoding: 'utf8' }).split('\n')
  return files.filter((file) => existsSync(file) && hasFullTier(file)).toSorted()
}

function hasFullTier(file: string): boolean {
  if (file.endsWith('.full.test.ts')) return true
  return /\b(timesInTier|inTier|fullTest)\b/.test(readFileSync(file, 'utf8'))
}

/** The slice of a day, from 0. */
export function sliceOf(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS) % SLICES
}

/** The files of a slice: every seventh in their order, so that each slice has some of each folder. */
export function filesOf(slice: number): readonly string[] {
  const left = LEFT_OUT.flatMap(([, ...paths]) => paths)
  const files = fullTierFiles().filter((file) => !left.some((path) => file.startsWith(path)))
  return files.filter((_, at) => at % SLICES === slice)
}
