import type { Benchmark } from './benchmark.ts'
import { diffs } from './diff.bench.ts'
import { domains } from './domain.bench.ts'
import { inline } from './inline.bench.ts'
import { turn } from './turn.bench.ts'

/** In the order of the table. */
export const benchmarks: readonly Benchmark[] = [...inline, ...diffs, ...domains, ...turn]
