/**
 * Runs agents on a log until it is killed, and prints the type of each event of the caller's view.
 * Usage: `node agents-until-killed.ts PATH`
 */
import { writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'
import { office } from './office.fixture.ts'

const STDOUT = 1
const [, , path = ''] = process.argv
const { runs } = office(await openLog(`sqlite:${path}`))

for (;;) {
  for await (const { type, depth } of runs.start('t', { agent: 'lead', input: 'Go on' })) {
    // Not through the stream: every seen event must have left the process when it is killed.
    writeSync(STDOUT, `${depth} ${type}\n`)
  }
}
