import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { freshPath } from '../../src/storage/sqlite-folder.fixture.ts'
import { straceWorks } from './syscalls.fixture.ts'

const door = JSON.stringify(new URL('../../src/storage/index.ts', import.meta.url).href)

/** Appends record by record and prints each result, then the unconfirmed records. */
const PROGRAM = `
  import { openLog } from ${door}
  const log = await openLog('sqlite:' + process.argv[1])
  for (let n = 0; n < 8; n++) {
    const appended = log.append('t', [{ type: 'tried', data: { n } }])
    console.log(await appended.then(([{ seq }]) => seq, ({ code }) => code))
  }
  const { ok, head, unanchored } = await log.verify('t')
  console.log(ok, head, unanchored)
  await log.close()`

test.runIf(straceWorks())(
  '[L10] on a full disk one commit at most is ahead of its heads, and they follow',
  async ({ annotate }) => {
    const path = freshPath()
    // The third line of heads and the next two tries find no room.
    const fault = ['-P', `${path}.heads`, '-etrace=write', '-einject=write:error=ENOSPC:when=4..6']
    const program = [
      '--conditions=throughline-source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      PROGRAM,
    ]
    const args = ['-f', '-o', '/dev/null', ...fault, process.execPath, ...program, path]
    const { stdout, stderr } = spawnSync('strace', args, { encoding: 'utf8' })
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    const refused = lines.filter((line) => line === 'storage_full').length
    expect(refused).toBe(2)
    expect(lines.filter((line) => line !== 'storage_full')).toEqual([
      ...Array.from({ length: 6 }, (_, seq) => String(seq)),
      'true 5 0',
    ])
    await annotate(`${refused} of 2 commits refused while a head waits for room`, 'promise')
  },
)
