/** Prints the secret of a data folder, once its input says that all others are ready too. */
import { once } from 'node:events'
import { readSecrets } from '../../apps/secret.ts'

const [dataDir = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
try {
  process.stdout.write(`secret ${(await readSecrets(undefined, dataDir)).join(',')}\n`)
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
  process.exitCode = 1
}
