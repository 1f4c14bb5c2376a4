/**
 * Begins a new heads file for a database whose heads are lost or do not fit: all that is stored is on
 * record as unanchored from then on. The server must be stopped, and its settings hold: `SECRET`,
 * `DATA_DIR`, `HEADS_FILE`. Usage: `npm run accept-heads`, or `npm run accept-heads -- DATABASE`.
 */
import { LogError } from 'throughline/log'
import { acceptHeads } from 'throughline/storage'
import { ConfigurationError } from '../apps/configuration-error.ts'
import { readConfiguration } from '../apps/configuration.ts'

try {
  const { storeUrl, secrets, headsFile } = await readConfiguration(process.env)
  const [, , database = storeUrl.slice('sqlite:'.length)] = process.argv
  const accepted = acceptHeads(database, {
    anchorKeys: secrets,
    ...(headsFile === undefined ? {} : { headsFile }),
  })
  const { threads, records, kept } = accepted
  if (kept !== undefined) console.log(`The former file is kept as ${kept}.`)
  console.log(
    `${accepted.headsFile} begins anew: ${records} records in ${threads} threads are unanchored.`,
  )
} catch (error) {
  if (!(error instanceof LogError || error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
