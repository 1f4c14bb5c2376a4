import { createHook } from 'node:async_hooks'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { COUNTS } from './costs.ts'
import type { Costs, Counts } from './costs.ts'
import { scenarios } from './scenarios.ts'
import type { Work } from './scenarios.ts'

const WARM_UPS = 2
/** What repeats itself is the scenario's; once in a while something else comes between. */
const RUNS = 3

const NOTHING: Costs = { promises: 0, timers: 0, scans: 0, statements: 0, bytes: 0, calls: {} }

const counted: Record<string, Costs> = {}
for (const { name, prepare, countsBytesOnly = false } of scenarios) {
  for (let run = 0; run < WARM_UPS; run++) await (await prepare())()
  const runs: Counts[] = []
  for (let run = 0; run < RUNS; run++) {
    runs.push({ ...(await countAsync(await prepare())), ...(await countBuiltIns(await prepare())) })
  }
  const counts = least(runs)
  counted[name] = countsBytesOnly
    ? { ...NOTHING, bytes: counts.bytes }
    : { ...counts, calls: await countCalls(await prepare()) }
}
process.stdout.write(JSON.stringify(counted))
process.exit()

function least(runs: readonly Counts[]): Counts {
  const entries = COUNTS.map((name) => [name, Math.min(...runs.map((run) => run[name]))])
  // It has a member for each name.
  return Object.fromEntries(entries) as unknown as Counts
}

async function countAsync(work: Work): Promise<Pick<Counts, 'promises' | 'timers' | 'bytes'>> {
  let [promises, timers] = [0, 0]
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises++
      if (type === 'Timeout' || type === 'Immediate') timers++
    },
  })
  hook.enable()
  const bytes = await work()
  hook.disable()
  return { promises, timers, bytes: bytes ?? 0 }
}

async function countBuiltIns(work: Work): Promise<Pick<Counts, 'scans' | 'statements'>> {
  const looks = [
    'indexOf',
    'lastIndexOf',
    'includes',
    'startsWith',
    'endsWith',
    'at',
    'charAt',
    'charCodeAt',
    'codePointAt',
    'search',
    'match',
    'matchAll',
    Symbol.iterator,
  ]
  const copies = ['replace', 'replaceAll', 'split', 'trim', 'trimStart', 'trimEnd', 'toWellFormed']
  const scans = [
    watched(String.prototype, [...looks, ...copies]),
    watched(RegExp.prototype, ['exec', 'test']),
  ]
  const statements = [
    watched(StatementSync.prototype, ['run', 'get', 'all', 'iterate']),
    watched(DatabaseSync.prototype, ['exec']),
  ]
  await work()
  const all = (watches: readonly (() => number)[]) => watches.reduce((sum, end) => sum + end(), 0)
  return { scans: all(scans), statements: all(statements) }
}

/** Counts calls of methods; the returned function ends that, and gives the count. */
function watched(prototype: object, names: readonly PropertyKey[]): () => number {
  let count = 0
  const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(prototype, name)] as const)
  for (const [name, descriptor] of own) {
    const method: unknown = descriptor?.value
    if (typeof method !== 'function') throw new TypeError(`There is no ${String(name)} to count`)
    Object.defineProperty(prototype, name, {
      ...descriptor,
      value(this: unknown, ...given: unknown[]): unknown {
        count++
        return Reflect.apply(method, this, given)
      },
    })
  }
  return () => {
    for (const [name, descriptor] of own) {
      if (descriptor) Object.defineProperty(prototype, name, descriptor)
    }
    return count
  }
}

/** How often each function of ours is called, by file. */
async function countCalls(work: Work): Promise<Costs['calls']> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const calls: Record<string, Record<string, number>> = {}
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? relative(process.cwd(), fileURLToPath(url)) : ''
    if (!file.startsWith('src/')) continue
    for (const { functionName, ranges } of functions) {
      const count = ranges[0]?.count ?? 0
      const name = functionName || 'anonymous'
      if (count > 0) (calls[file] ??= {})[name] = (calls[file]?.[name] ?? 0) + count
    }
  }
  return calls
}
