import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { straceWorks } from '../durability/syscalls.fixture.ts'
import { newFolder } from '../folders.fixture.ts'
import { COUNTS, callsOf } from './costs.ts'
import type { Allowed, Costs } from './costs.ts'

const ALLOWED = 'test/costs/allowed.json'
/** Calls of one file that a moment may add: a timer that ends, an id of another millisecond. */
const CALLS_BY_CHANCE_MAX = 3
const SHARE_BY_CHANCE_MAX = 0.02
const NODE = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']

test('a turn, a click, a delta, a megabyte of text and an append cost no more than is allowed, counted without a clock', () => {
  const counted = JSON.parse(
    execFileSync(process.execPath, [...NODE, 'test/costs/count-costs.ts'], { encoding: 'utf8' }),
  ) as Readonly<Record<string, Costs>>
  const allowed = JSON.parse(readFileSync(ALLOWED, 'utf8')) as Readonly<Record<string, Allowed>>
  expect(Object.keys(counted)).toEqual(Object.keys(allowed))
  const over = Object.entries(counted).flatMap(([name, costs]) => {
    const may = allowed[name]
    return may ? [...countsOver(name, costs, may), ...callsOver(name, costs, may)] : []
  })
  // A change that is worth its cost writes the page of what is allowed anew: npm run costs
  expect(over).toEqual([])
})

function countsOver(name: string, costs: Costs, allowed: Allowed): readonly string[] {
  return COUNTS.filter((count) => costs[count] > allowed[count]).map(
    (count) => `${name}: ${costs[count]} ${count}, ${allowed[count]} are allowed`,
  )
}

function callsOver(name: string, { calls }: Costs, allowed: Allowed): readonly string[] {
  return Object.entries(calls).flatMap(([file, functions]) => {
    const [count, max] = [callsOf(functions), allowed.calls[file] ?? 0]
    if (count <= max + Math.max(CALLS_BY_CHANCE_MAX, max * SHARE_BY_CHANCE_MAX)) return []
    const most = Object.entries(functions).toSorted(([, one], [, other]) => other - one)
    const named = most.slice(0, 5).map(([each, times]) => `${each} ${times}`)
    return [`${name}: ${count} calls in ${file}, ${max} are allowed (${named.join(', ')})`]
  })
}

/** Calls to the system of one append to SQLite, one after another. */
const SYSTEM_CALLS_MAX: Readonly<Record<string, number>> = {
  pwrite64: 7,
  write: 1,
  fsync: 1,
  fdatasync: 0,
  stat: 1,
  openat: 0,
}

test.skipIf(!straceWorks())(
  'an append to SQLite makes no more calls to the system than is allowed',
  () => {
    const few = systemCalls(20)
    const many = systemCalls(60)
    const over = Object.entries(SYSTEM_CALLS_MAX).flatMap(([name, max]) => {
      const each = ((many.get(name) ?? 0) - (few.get(name) ?? 0)) / 40
      return Math.round(each) > max ? [`${name}: ${each} an append, ${max} are allowed`] : []
    })
    expect(over).toEqual([])
  },
)

function systemCalls(appends: number): ReadonlyMap<string, number> {
  const trace = join(newFolder(), 'trace')
  const program = ['test/costs/append-times.ts', join(newFolder(), 'log.db'), String(appends)]
  const strace = ['-f', '--seccomp-bpf', '-o', trace, '-e', 'trace=desc,file', process.execPath]
  const { status } = spawnSync('strace', [...strace, ...NODE, ...program])
  expect(status).toBe(0)
  const counts = new Map<string, number>()
  for (const [line, call = ''] of readFileSync(trace, 'latin1').matchAll(/^\d+ +(\w+)\(.*/gm)) {
    if (line.includes(WAKES_A_THREAD)) continue
    const name = STATS.has(call) ? 'stat' : call
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

/** How often a thread of the process wakes another depends on who else uses the processors. */
const WAKES_A_THREAD = String.raw`"\1\0\0\0\0\0\0\0", 8)`

const STATS: ReadonlySet<string> = new Set(['stat', 'lstat', 'fstat', 'newfstatat', 'statx'])
