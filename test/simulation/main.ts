/**
 * Lives histories of two servers and prints what each of them broke, with counts of what happened; of a single
 * one also its acts and faults. Usage: `node main.ts SEED [HISTORIES]`
 */
import { live } from './history.ts'

const [seed = 1, histories = 1] = process.argv.slice(2).map(Number)
const counts: Record<string, number> = {}
const broken: string[] = []
const digests: string[] = []
let happened: readonly string[] = []
for (let at = seed; at < seed + histories; at++) {
  const told = await live(at)
  digests.push(told.digest)
  broken.push(...told.broken.map((what) => `seed ${at}: ${what}`))
  for (const [what, times] of Object.entries(told.counts))
    counts[what] = (counts[what] ?? 0) + times
  happened = told.happened
}
const one = histories === 1 ? { happened } : {}
process.stdout.write(`${JSON.stringify({ broken, counts, digests, ...one }, null, 1)}\n`)
