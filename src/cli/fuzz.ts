import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ThroughlineError } from '../assert/index.ts'
import type { LogRecord } from '../log/index.ts'
import { Progress } from './progress.ts'
import { placesOf, wholeNumber } from './replay.ts'
import type { Print } from './replay.ts'

export const FUZZ_EXIT = { nothing_found: 0, found: 1, cannot_tell: 2 } as const
/** Stored threads that runs begin with. */
export const FUZZ_THREADS_MAX = 200

export interface FuzzArguments {
  readonly module: string
  readonly runs?: string | undefined
  readonly seed?: string | undefined
  readonly json?: boolean | undefined
  /** A store and threads of it, or exports. */
  readonly named: readonly string[]
  readonly anchorKeys: readonly string[]
}

/** Fuzzes the applications that a module exports, prints what was found, and returns the exit code. */
export async function fuzzModule(given: FuzzArguments, print: Print): Promise<number> {
  const progress = new Progress(process.stderr)
  try {
    return await fuzzAll(given, { print, progress })
  } catch (error) {
    if (!(error instanceof ThroughlineError)) throw error
    progress.end()
    const { message } = error
    print(given.json ? JSON.stringify({ done: false, fault: message }) : message)
    return FUZZ_EXIT.cannot_tell
  }
}

async function fuzzAll(
  { module, runs, seed, json = false, ...stored }: FuzzArguments,
  { print, progress }: { readonly print: Print; readonly progress: Progress },
): Promise<number> {
  const { FUZZ_RUNS_DEFAULT, FUZZ_RUNS_MAX, fuzz } = await import('../fuzz/index.ts')
  const { loadApps } = await import('../replay/index.ts')
  const apps = await loadApps(resolve(module), 'fuzz')
  const count = wholeNumber('runs', runs ?? String(FUZZ_RUNS_DEFAULT), FUZZ_RUNS_MAX)
  const from = await storedThreads(stored)
  let isFound = false
  for (const app of apps) {
    const report = await fuzz(app, {
      runs: count,
      ...(seed !== undefined && { seed: wholeNumber('seed', seed, 2 ** 31) }),
      from,
      onRun: (run) => progress.show(run / count, `${app.name}: ${run} of ${count} runs`),
    })
    progress.end()
    isFound ||= report.findings.length > 0
    const lines = json
      ? [JSON.stringify({ app: app.name, ...report })]
      : linesOf(app.name, await importOf(app, module), report)
    for (const line of lines) print(line)
  }
  return isFound ? FUZZ_EXIT.found : FUZZ_EXIT.nothing_found
}

/** The line by which a test gets an application of a module. */
async function importOf(app: unknown, path: string): Promise<string> {
  const file = resolve(path)
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>
  const [name = 'app'] = Object.entries(module).find(([, value]) => value === app) ?? []
  const named = name === 'app' ? '{ app }' : `{ ${name} as app }`
  return `import ${named} from ${JSON.stringify(file)}`
}

async function storedThreads({
  named,
  anchorKeys,
}: Pick<FuzzArguments, 'named' | 'anchorKeys'>): Promise<readonly (readonly LogRecord[])[]> {
  if (named.length === 0) return []
  const { openStoredThreads, recordsOf } = await import('../replay/index.ts')
  const { sources, threads } = await placesOf({ named })
  const stored = await openStoredThreads({ sources, anchorKeys })
  try {
    const names = threads.length > 0 ? threads : await stored.names()
    const all: (readonly LogRecord[])[] = []
    for (const name of names.slice(0, FUZZ_THREADS_MAX)) all.push(await recordsOf(stored, name))
    return all.filter((records) => records.length > 0)
  } finally {
    await stored.close()
  }
}

type Report = Awaited<ReturnType<(typeof import('../fuzz/index.ts'))['fuzz']>>

function linesOf(
  app: string,
  imported: string,
  { seed, runs, proposals, findings, ofModels, never }: Report,
): readonly string[] {
  const found = findings.flatMap(({ kind, part, detail, steps, test }) => [
    `! ${kind}: ${part}: ${detail}`,
    ...(test === undefined
      ? [`  ${steps.length} steps: ${JSON.stringify(steps)}`]
      : ['', test, '']),
  ])
  const imports = [
    "import { test } from 'vitest'",
    "import { given } from 'throughline/testing'",
    imported,
  ]
  const isTested = findings.some(({ test }) => test !== undefined)
  const list = (words: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${words}: ${names.join(', ')}`]
  return [
    `${app}: ${runs} runs with the seed ${seed}, ${proposals} proposals, ${findings.length} findings`,
    ...(isTested ? ['The tests below begin with:', '', ...imports, ''] : []),
    ...found,
    ...list('Accepted of models', ofModels),
    ...list('Event types that were never accepted', never.accepted),
    ...list('Rules that never fired', never.fired),
    ...list('Effects that were never due', never.due),
  ]
}
