import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Benchmark } from './benchmark.ts'
import { benchmarks } from './benchmarks.ts'
import { COMPARED_WARM_UP_NANOSECONDS, measure } from './measure.ts'
import { comparedRowOf, rowOf } from './table.ts'

const [id = '', folder, commit = ''] = process.argv.slice(2)

const row = folder === undefined ? await besidePeers() : await besideItself(folder)
// What a benchmark has opened, servers and their readers, ends with this process.
process.send?.(row, () => process.exit())

async function besidePeers(): Promise<readonly string[]> {
  const benchmark = named(benchmarks, 'this checkout')
  return rowOf(benchmark, await measure(benchmark))
}

/** Both versions in one process, in turns: two processes differ by more than most changes. */
async function besideItself(checkout: string): Promise<readonly string[]> {
  const today = named(benchmarks, 'this checkout')
  const file = pathToFileURL(join(checkout, 'bench/benchmarks.ts')).href
  // The same module of an earlier commit.
  const earlier = (await import(file)) as { readonly benchmarks: readonly Benchmark[] }
  const { run } = named(earlier.benchmarks, commit)
  const benchmark = { ...today, limit: { name: commit, prepare: run }, peers: [] }
  const figures = await measure(benchmark, COMPARED_WARM_UP_NANOSECONDS)
  return comparedRowOf(benchmark, figures, commit)
}

function named(all: readonly Benchmark[], where: string): Benchmark {
  const found = all.find((each) => each.id === id)
  if (!found) throw new Error(`Cannot run "${id}": no benchmark of ${where} has that id`)
  return found
}
