import { setTimeout } from 'node:timers/promises'
import { openOnAQuickDisk } from '../../src/storage/slow-disk.fixture.ts'

/** The files of a store that was just made are looked at with each append. */
const SETTLES_MS = 300

/** Appends so often to a log, one append after another. */
const [path = '', times = '0'] = process.argv.slice(2)
// On a disk that is slow for a moment another thread would make the commits.
const log = openOnAQuickDisk(path)
await log.append('t', [{ type: 'counted', data: -1 }])
await setTimeout(SETTLES_MS)
for (let n = 0; n < Number(times); n++) await log.append('t', [{ type: 'counted', data: n }])
await log.close()
