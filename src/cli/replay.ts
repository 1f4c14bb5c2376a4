import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LogError } from '../log/index.ts'
import { Progress } from './progress.ts'

/** The same as those of `verify`. */
export const REPLAY_EXIT = { equal: 0, differs: 1, cannot_tell: 2 } as const

export interface ReplayArguments {
  readonly against: string
  readonly base?: string | undefined
  readonly level?: string | undefined
  readonly workers?: string | undefined
  readonly json?: boolean | undefined
  readonly anchorKeys: readonly string[]
  /** A store and threads of it, or files. */
  readonly named: readonly string[]
}

export type Print = (line: string) => void

/** Replays stored threads, prints the result, and returns the exit code. */
export async function replay(given: ReplayArguments, print: Print): Promise<number> {
  return tellingFaults({ print, json: given.json }, (progress) =>
    replayAll(given, { print, progress }),
  )
}

interface Telling {
  readonly print: Print
  readonly json?: boolean | undefined
}

/** Prints why stored threads cannot be replayed or asked again; what nobody expects is thrown on. */
export async function tellingFaults(
  { print, json }: Telling,
  work: (progress: Progress) => Promise<number>,
): Promise<number> {
  const { ReplayError } = await import('../replay/index.ts')
  const progress = new Progress(process.stderr)
  try {
    return await work(progress)
  } catch (error) {
    const isExpected = error instanceof ReplayError || error instanceof LogError
    if (!isExpected) throw error
    progress.end()
    print(json ? JSON.stringify({ done: false, fault: error.message }) : error.message)
    return REPLAY_EXIT.cannot_tell
  }
}

async function replayAll(
  given: ReplayArguments,
  { print, progress }: { readonly print: Print; readonly progress: Progress },
): Promise<number> {
  const { REPLAY_WORKERS_MAX, replayStored } = await import('../replay/index.ts')
  const { json = false, base, anchorKeys } = given
  const started = performance.now()
  const summary = await replayStored({
    ...(await placesOf(given)),
    anchorKeys,
    against: urlOf(given.against),
    base: base === undefined ? undefined : urlOf(base),
    level: wholeNumber('level', given.level ?? '2', 2) === 1 ? 1 : 2,
    workers: wholeNumber(
      'workers',
      given.workers ?? String(availableParallelism()),
      REPLAY_WORKERS_MAX,
    ),
    onReport(report, { threads, counts }, total) {
      if (json && report.verdict !== 'equal') print(JSON.stringify(report))
      const found = `${counts.differs} differ, ${counts.cannot_tell} cannot be told`
      progress.show(threads / total, `${threads} of ${total}: ${found}`)
    },
  })
  progress.end()
  const ms = Math.round(performance.now() - started)
  const { counts, threads, records, decided, verdict } = summary
  const last = { done: true, verdict, ...counts, threads, records, decided, ms }
  for (const line of json ? [JSON.stringify(last)] : summary.lines()) print(line)
  return REPLAY_EXIT[verdict]
}

export async function placesOf({ named: [first = '', ...rest] }: Pick<ReplayArguments, 'named'>) {
  const { isExport } = await import('../replay/index.ts')
  if (isExport(first)) return { sources: [first, ...rest], threads: [] }
  const address = /^(?:sqlite|postgres|postgresql):/.test(first) ? first : `sqlite:${first}`
  return { sources: [address], threads: rest }
}

function urlOf(module: string): string {
  return pathToFileURL(resolve(module)).href
}

/** Of 1 to `max`. */
export function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  throw new LogError('configuration', `Cannot replay: --${name} is "${text}"; give 1 to ${max}`)
}
