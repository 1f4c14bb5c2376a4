import { compose, serveAll } from '../../apps/compose.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { keysBeside, openStore } from '../../src/storage/index.ts'

/**
 * Starts the server and says what that took of the processor: milliseconds for opening the log, and for
 * starting to serve it. It serves until it is killed.
 */
const configuration = await readConfiguration(process.env)
const { storeUrl } = configuration
const began = process.cpuUsage()
const store = await openStore(storeUrl, { anchorKeys: configuration.secrets })
const opened = cpuMs()
const keys = keysBeside(storeUrl)
await serveAll(await compose({ configuration, store, keys, chunkDelayMs: 1 }))
const served = cpuMs() - opened
process.stdout.write(`${JSON.stringify({ opened, served })}\n`)

function cpuMs(): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}
