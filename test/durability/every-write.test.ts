import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { inTier, timesInTier } from '../tier.fixture.ts'
import { brokenPromise } from './promises.fixture.ts'
import { straceWorks, traceProgram } from './syscalls.fixture.ts'

/** Every run takes a tenth of the writes, another one each day. */
const TENTH = Math.floor(Date.now() / 86_400_000) % 10
const isTaken = inTier<(n: number) => boolean>({
  quick: (n) => n % 10 === TENTH,
  full: () => true,
})
/** Calls for memory that find none, spread over all. */
const PLACES_MAX = timesInTier({ quick: 12, full: 240 })
const RUN_MAX_MS = inTier({ quick: 120_000, full: 900_000 })

interface Run {
  readonly said: readonly string[]
  readonly refused: readonly string[]
  readonly ending: string
}

/** Runs the program on a disk that fails as strace is told. */
function runOn(path: string, faults: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const args = ['-f', '-o', '/dev/null', ...faults]
  const program = [process.execPath, ...programArguments('append-on-a-failing-disk'), path]
  const { stdout, status, signal } = spawnSync('strace', [...args, ...program], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  })
  const lines = stdout.split('\n').filter((line) => line !== '')
  return {
    said: lines.filter((line) => !line.startsWith('refused ')),
    refused: lines.filter((line) => line.startsWith('refused ')),
    ending: signal ?? String(status),
  }
}

/** The writes of the program to its folder: how many calls of each name, and to which files. */
function writesOf() {
  const path = freshPath()
  const folder = dirname(path)
  const args = [...programArguments('append-on-a-failing-disk'), path]
  const calls = traceProgram(args, { folder, env: {} })
  const names = calls.flatMap((call) =>
    call.kind === 'open' ? [call.path.slice(folder.length)] : [],
  )
  const count = (is: (call: (typeof calls)[number]) => boolean) => calls.filter(is).length
  return {
    files: [...new Set(names)].filter((name) => name !== ''),
    counts: {
      pwrite64: count((call) => call.kind === 'write' && call.offset !== undefined),
      write: count((call) => call.kind === 'write' && call.offset === undefined),
      ftruncate: count((call) => call.kind === 'truncate'),
    },
  }
}

test.runIf(straceWorks())(
  '[D13] whichever write finds no space, nothing acknowledged is lost, and the next start is sound',
  async ({ annotate }) => {
    const { files, counts } = writesOf()
    const codes = new Map<string, number>()
    const broken: string[] = []
    let runs = 0
    for (const [call, count] of Object.entries(counts)) {
      for (let n = 1; n <= count; n++) {
        if (!isTaken(n)) continue
        const path = freshPath()
        const inFolder = files.flatMap((name) => ['-P', join(dirname(path), name)])
        const fault = [`-etrace=${call}`, `-einject=${call}:error=ENOSPC:when=${n}`]
        const { said, refused, ending } = runOn(path, [...inFolder, ...fault])
        runs++
        for (const line of refused) codes.set(line, (codes.get(line) ?? 0) + 1)
        const loss = await brokenPromise(path, said)
        if (loss !== undefined) broken.push(`${call} ${n}: ${loss}`)
        if (ending !== '0') broken.push(`${call} ${n}: ended with ${ending}`)
      }
    }
    expect(broken).toEqual([])
    // Every write that fails in an append is answered.
    expect([...codes.keys()]).toContain('refused storage_full')
    const all = counts.pwrite64 + counts.write + counts.ftruncate
    const answers = [...codes].map(([line, times]) => `${times} ${line}`).join(', ')
    await annotate(`${runs} of ${all} writes failed: 0 acknowledged lost; ${answers}`, 'promise')
  },
  RUN_MAX_MS,
)

/** Memory of 4 KB and more is asked of the system: a page of the database, or what is read into one. */
const MEMORY = { MALLOC_MMAP_THRESHOLD_: '4096', MALLOC_TOP_PAD_: '0' }
/** One piece is asked for by some calls, one after the other. */
const CALLS_FOR_ONE = 4

/** A call for memory: how many of each kind the main thread had made with it. strace counts by kind and thread. */
interface MemoryCall {
  readonly mmap: number
  readonly brk: number
}

/** The main thread's calls for memory once its log is being opened. */
function memoryCalls(): readonly MemoryCall[] {
  const path = freshPath()
  const trace = join(dirname(path), '..', 'memory')
  const program = [process.execPath, ...programArguments('append-on-a-failing-disk'), path]
  const args = ['-f', '-o', trace, '-etrace=mmap,brk,openat', ...program]
  spawnSync('strace', args, { stdio: 'ignore', env: { ...process.env, ...MEMORY } })
  const lines = readFileSync(trace, 'utf8').split('\n')
  const main = lines[0]?.split(' ')[0]
  const calls: MemoryCall[] = []
  let [mmap, brk, isOpen] = [0, 0, false]
  for (const line of lines) {
    isOpen ||= line.includes(path)
    const [, thread, name] = /^(\d+) +(mmap|brk)\(/.exec(line) ?? []
    if (thread !== main || name === undefined) continue
    if (name === 'mmap') mmap++
    else brk++
    if (isOpen) calls.push({ mmap, brk })
  }
  return calls
}

/** Fails that call, and those that ask for the same piece in another way. */
function withoutMemory({ mmap, brk }: MemoryCall): readonly string[] {
  const from = (kind: string, n: number) =>
    `-einject=${kind}:error=ENOMEM:when=${Math.max(1, n)}..${n + CALLS_FOR_ONE}`
  return ['-etrace=mmap,brk', from('mmap', mmap), from('brk', brk)]
}

test.runIf(straceWorks())(
  '[D13] whenever the system gives no memory, nothing acknowledged is lost, and the next start is sound',
  async ({ annotate }) => {
    const all = memoryCalls()
    const calls = all.filter((_, index) => index % Math.ceil(all.length / PLACES_MAX) === 0)
    const broken: string[] = []
    const endings = new Map<string, number>()
    for (const call of calls) {
      const path = freshPath()
      const { said, refused, ending } = runOn(path, withoutMemory(call), MEMORY)
      const how = refused.length > 0 ? 'refused' : `ended with ${ending}`
      endings.set(how, (endings.get(how) ?? 0) + 1)
      const loss = await brokenPromise(path, said)
      if (loss !== undefined) broken.push(`mmap ${call.mmap}: ${loss}`)
    }
    expect(broken).toEqual([])
    const ended = [...endings].map(([how, times]) => `${times} ${how}`).join(', ')
    await annotate(
      `no memory at ${calls.length} of ${all.length} calls: 0 acknowledged lost; ${ended}`,
      'promise',
    )
  },
  RUN_MAX_MS,
)
