/**
 * Asks a remote agent on a log, and prints the type of each event of the caller's view, until it is killed.
 * Usage: `node remote-until-killed.ts PATH URL KEY`
 */
import { writeSync } from 'node:fs'
import { openLog } from '../../src/storage/index.ts'
import { remoteClerk } from './remote-clerk.fixture.ts'

const STDOUT = 1
const [, , path = '', url = '', key = ''] = process.argv
const { runs } = remoteClerk(await openLog(`sqlite:${path}`), url)

for await (const { type } of runs.start('t', { agent: 'clerk', input: 'Go on', key })) {
  // Not through the stream: every seen event must have left the process when it is killed.
  writeSync(STDOUT, `${type}\n`)
}
