import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { callsOf } from '../test/costs/costs.ts'
import type { Allowed, Costs } from '../test/costs/costs.ts'

/** Writes what the scenarios of test/costs cost now as what they may cost. */
const counting = ['--conditions=throughline-source', 'test/costs/count-costs.ts']
const output = execFileSync(process.execPath, counting, { encoding: 'utf8' })
const counted = JSON.parse(output) as Readonly<Record<string, Costs>>
const allowed: Record<string, Allowed> = {}
for (const [name, { calls, ...counts }] of Object.entries(counted)) {
  const byFile = Object.entries(calls).map(
    ([file, functions]) => [file, callsOf(functions)] as const,
  )
  const sorted = byFile.toSorted(([one], [other]) => (one < other ? -1 : 1))
  allowed[name] = { ...counts, calls: Object.fromEntries(sorted) }
}
writeFileSync('test/costs/allowed.json', `${JSON.stringify(allowed, null, 2)}\n`)
