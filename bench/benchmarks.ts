import { aguiClient } from './agui-client.bench.ts'
import { agui } from './agui.bench.ts'
import { appends } from './append.bench.ts'
import type { Benchmark } from './benchmark.ts'
import { catchUp } from './catch-up.bench.ts'
import { diffs } from './diff.bench.ts'
import { domains } from './domain.bench.ts'
import { fanOut } from './fan-out.bench.ts'
import { inline } from './inline.bench.ts'
import { postgres } from './postgres.bench.ts'
import { restores } from './restore.bench.ts'
import { teams } from './team.bench.ts'
import { turn } from './turn.bench.ts'

/** In the order of the table. */
export const benchmarks: readonly Benchmark[] = [
  ...inline,
  ...diffs,
  ...domains,
  ...restores,
  ...turn,
  ...teams,
  ...aguiClient,
  ...agui,
  ...appends,
  ...postgres,
  ...fanOut,
  ...catchUp,
]
