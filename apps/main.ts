import { pino } from 'pino'
import { LogError } from 'throughline/log'
import type { EventLog } from 'throughline/log'
import { serve } from 'throughline/server'
import type { RunningServer, ServeOptions } from 'throughline/server'
import { openLog } from 'throughline/storage'
import { composeServer } from './compose.ts'
import { ConfigurationError, readConfiguration } from './configuration.ts'
import type { Configuration } from './configuration.ts'

const EXIT = { configuration: 1, storeFailed: 74, storeInUse: 75 } as const

/** Milliseconds between the parts that a scripted model streams: slow enough to be seen. */
const CHUNK_DELAY_MS = 15

/** How long requests that wait for a store that failed have to be told so. */
const FATAL_GRACE_MS = 200

/** Everything must have ended by then, or it is ended. */
const SHUTDOWN_MAX_MS = 9_500

await start()

async function start(): Promise<void> {
  try {
    const configuration = await readConfiguration(process.env)
    const log = await openStore(configuration)
    const options = await composeServer({ configuration, log, chunkDelayMs: CHUNK_DELAY_MS })
    const server = await listen(options)
    stopOn(['SIGTERM', 'SIGINT'], server, log)
    process.stdout.write(`throughline ready ${server.url}\n`)
  } catch (error) {
    fail(error)
  }
}

async function listen(options: ServeOptions): Promise<RunningServer> {
  try {
    return await serve(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    const message = `PORT is ${options.port}, which is in use: choose another, or 0 for a free one`
    throw new ConfigurationError(message, { cause: error })
  }
}

function openStore({ storeUrl, secret, headsFile, logLevel }: Configuration): Promise<EventLog> {
  const logger = pino({ level: logLevel }, pino.destination(2))
  return openLog(storeUrl, {
    anchorKeys: [secret],
    ...(headsFile === undefined ? {} : { headsFile }),
    onFatal,
    onWarning: (warning) => logger.warn(warning),
  })
}

function onFatal(error: unknown): void {
  setTimeout(() => fail(error), FATAL_GRACE_MS)
}

function stopOn(signals: readonly NodeJS.Signals[], server: RunningServer, log: EventLog): void {
  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(0), SHUTDOWN_MAX_MS).unref()
    await server.close()
    await log.close()
    process.exit(0)
  }
  for (const signal of signals) process.once(signal, () => void stop().catch(fail))
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
