import { benchmarks } from './benchmarks.ts'
import { measure } from './measure.ts'
import { rowOf } from './table.ts'

const benchmark = benchmarks.find(({ id }) => id === process.argv[2])
if (!benchmark) throw new Error(`Cannot run "${process.argv[2]}": no benchmark has that id`)
const row = rowOf(benchmark, await measure(benchmark))
// What a benchmark has opened, servers and their readers, ends with this process.
process.send?.(row, () => process.exit())
