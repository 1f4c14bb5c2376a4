/**
 * Begins a new heads file for a database whose heads are lost or do not fit: all stored records are
 * unanchored from then on. It makes no folder and no secret, and refuses where there is nothing to mend.
 * The server must be stopped, and its settings hold: `SECRET`, `DATA_DIR`, `HEADS_FILE`. Without the
 * first two the secret is read from beside the database.
 * Usage: `npm run accept-heads`, or `npm run accept-heads -- DATABASE`.
 */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { LogError } from 'throughline/log'
import { acceptHeads } from 'throughline/server/extend'
import { ConfigurationError } from '../apps/configuration-error.ts'
import { dataDirOf, databaseIn } from '../apps/configuration.ts'
import { readKeptSecrets } from '../apps/secret.ts'

try {
  const { DATA_DIR, SECRET, HEADS_FILE } = process.env
  const [, , given = databaseIn(dataDirOf(process.env))] = process.argv
  const database = resolve(given)
  if (!existsSync(database)) {
    const mend = 'set DATA_DIR as the server has it, or name the database'
    throw new ConfigurationError(`Cannot find a database at "${database}": ${mend}`)
  }
  const dataDir = DATA_DIR ? resolve(DATA_DIR) : dirname(database)
  const { headsFile, threads, records, kept } = acceptHeads(database, {
    anchorKeys: await readKeptSecrets(SECRET, dataDir),
    ...(HEADS_FILE ? { headsFile: resolve(HEADS_FILE) } : {}),
  })
  if (kept !== undefined) console.log(`The former file is kept as ${kept}.`)
  const counted = `${count(records, 'record')} in ${count(threads, 'thread')}`
  console.log(`${headsFile} begins anew: ${counted} ${records === 1 ? 'is' : 'are'} unanchored.`)
} catch (error) {
  if (!(error instanceof LogError || error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
