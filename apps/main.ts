import { basename } from 'node:path'
import { pino } from 'pino'
import { LogError } from 'throughline/log'
import type { RunningServer } from 'throughline/server'
import { UnknownKeyError } from 'throughline/server/extend'
import { compose, serveAll } from './compose.ts'
import type { Composed } from './compose.ts'
import { ConfigurationError } from './configuration-error.ts'
import { readConfiguration } from './configuration.ts'
import type { Configuration } from './configuration.ts'
import { SECRET_VARIABLES } from './secret.ts'
import { readAncestors, whenParentEnds } from './parent.ts'
import type { Ancestors } from './parent.ts'

const EXIT = { configuration: 1, storeFailed: 74, storeInUse: 75 } as const

/** Given by the npm script: without it the server outlives the shell that started it. */
const END_WITH_PARENT = '--end-with-parent'

/** Milliseconds between the parts that a scripted model streams: slow enough to be seen. */
const CHUNK_DELAY_MS = 15

/** The time for answers to requests that wait for a failed store. */
const FATAL_GRACE_MS = 200

/** Places of unhandled rejections that are reported, each once. */
const REPORTED_MAX = 100
const reported = new Set<string>()

/** Everything must have ended by then, or it is ended. */
const SHUTDOWN_MAX_MS = 9_500

process.on('unhandledRejection', reportOnce)

await start()

async function start(): Promise<void> {
  try {
    const ancestors = readAncestors()
    const configuration = await readConfiguration(process.env)
    // Programs that the server starts would find them in its environment.
    for (const name of SECRET_VARIABLES) delete process.env[name]
    const composed = await openAll(configuration)
    const server = await listen(composed)
    stopOnce(ancestors, () => stop(server))
    process.stdout.write(`throughline ready ${server.url}\n`)
  } catch (error) {
    fail(error)
  }
}

async function listen(composed: Composed): Promise<RunningServer> {
  try {
    return await serveAll(composed)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    const { port } = composed.options
    const message = `PORT is ${port}, which is in use: choose another, or 0 for a free one`
    throw new ConfigurationError(message, { cause: error })
  }
}

async function openAll(configuration: Configuration): Promise<Composed> {
  const { secrets, headsFile, logLevel } = configuration
  const logger = pino({ level: logLevel }, pino.destination(2))
  const storage = {
    anchorKeys: secrets,
    ...(headsFile === undefined ? {} : { headsFile }),
    onFatal,
    onWarning: (warning: string) => logger.warn(warning),
  }
  try {
    return await compose({ configuration, storage, chunkDelayMs: CHUNK_DELAY_MS })
  } catch (error) {
    throw error instanceof UnknownKeyError ? wrongSecret(configuration, error) : error
  }
}

function wrongSecret(
  { dataDir, store }: Pick<Configuration, 'dataDir' | 'store'>,
  error: UnknownKeyError,
): ConfigurationError {
  if (store === 'postgres') {
    return new ConfigurationError(
      `SECRET does not match the file "${error.headsFile}" that HEADS_FILE names: set the SECRET that ` +
        'signed it (after the new one, separated by a comma, to rotate), or move the file away: a new ' +
        'one is begun from what the database holds',
      { cause: error },
    )
  }
  return new ConfigurationError(
    `SECRET does not match the data in "${dataDir}": set the SECRET that signed ` +
      `"${basename(error.headsFile)}" (after the new one, separated by a comma, to rotate), or ` +
      'restore that file from a backup; only if both are lost, run "npm run accept-heads", which ' +
      'cannot be undone: all stored records become unanchored for good',
    { cause: error },
  )
}

function onFatal(error: unknown): void {
  setTimeout(() => fail(error), FATAL_GRACE_MS)
}

/** Stops once: at the first signal, or, when npm started this process, at the end of npm. */
function stopOnce(ancestors: Ancestors, stop: () => Promise<void>): void {
  let stopping: Promise<void> | undefined
  const begin = (): void => {
    stopping ??= stop().catch(fail)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, begin)
  if (process.argv.includes(END_WITH_PARENT)) whenParentEnds(ancestors, begin)
}

async function stop(server: RunningServer): Promise<void> {
  setTimeout(() => process.exit(0), SHUTDOWN_MAX_MS).unref()
  await server.close()
  process.exit(0)
}

/** Work that nobody waited for has failed; the server goes on without it. */
function reportOnce(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  if (reported.has(text) || reported.size >= REPORTED_MAX) return
  reported.add(text)
  process.stderr.write(`a promise was rejected and nobody handled it: ${text}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`)
  process.exit(exitCode(error))
}

function describe(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof LogError) return error.message
  return error instanceof Error ? String(error.stack) : String(error)
}

function exitCode(error: unknown): number {
  if (!(error instanceof LogError) || error.code === 'configuration') return EXIT.configuration
  return error.code === 'locked' ? EXIT.storeInUse : EXIT.storeFailed
}
