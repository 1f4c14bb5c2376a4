import { readdirSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compose, serveAll } from '../../apps/compose.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { keysBeside, openLog } from '../../src/storage/index.ts'

/**
 * The server, which prints its memory for each line on its standard input: bytes of
 * heap after a collection, open files, bytes of its write-ahead log. Run with `--expose-gc`.
 */
const { gc } = globalThis
if (!gc) throw new Error('Cannot measure: run with --expose-gc')

const configuration = await readConfiguration(process.env)
const log = await openLog(configuration.storeUrl, { anchorKeys: configuration.secrets })
const keys = keysBeside(configuration.storeUrl)
const composed = await compose({ configuration, store: log, keys, chunkDelayMs: 1 })
const server = await serveAll(composed)
process.stdout.write(`${server.url}\n`)

process.stdin.on('data', () => void measure())
process.stdin.on('end', () => void server.close().then(() => log.close()))

async function measure(): Promise<void> {
  gc?.()
  gc?.()
  const wal = await bytesOf(join(configuration.dataDir, 'throughline.db-wal'))
  const { heapUsed: heap, rss } = process.memoryUsage()
  const files = readdirSync('/proc/self/fd').length
  process.stdout.write(`${JSON.stringify({ heap, rss, files, wal })}\n`)
}

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
