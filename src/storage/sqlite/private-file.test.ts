import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freshPath } from '../sqlite-folder.fixture.ts'

const UMASKS = [0o000, 0o002, 0o022, 0o077, 0o777]
const DATABASE_FILES = [
  '',
  '-shm',
  '-wal',
  '.lock',
  '.snapshots',
  '.snapshots-shm',
  '.snapshots-wal',
]

const door = JSON.stringify(new URL('../index.ts', import.meta.url).href)

/** Works with a log under a umask and prints the mode of each file while the log is open. */
function modesUnder(umask: number, path: string, headsFile: string): Record<string, string> {
  const program = `
    import { readdirSync, statSync } from 'node:fs'
    import { dirname, join } from 'node:path'
    import { openLog, openSnapshots } from ${door}
    process.umask(${umask})
    const [path, headsFile] = ${JSON.stringify([path, headsFile])}
    const log = await openLog('sqlite:' + path, { headsFile })
    const [record] = await log.append('t', [{ type: 'tried', data: {} }])
    const snapshots = openSnapshots('sqlite:' + path)
    const kept = { seq: 0, hash: record.hash, body: '{}' }
    await snapshots.put('t', { name: 'n', version: 'v' }, kept)
    const files = [dirname(path), dirname(headsFile)].flatMap((folder) =>
      readdirSync(folder).map((file) => join(folder, file)))
    const mode = (file) => (statSync(file).mode & 0o777).toString(8)
    console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file, mode(file)]))))
    snapshots.close()
    await log.close()`
  const options = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']
  const args = [...options, '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  // Printed by the program above.
  return JSON.parse(stdout) as Record<string, string>
}

test('[X14] only its owner can read a file of a store, whatever the umask and an older version left', async ({
  annotate,
}) => {
  let files = 0
  for (const umask of UMASKS) {
    const path = freshPath()
    const headsFile = join(dirname(path), 'heads', 'log.heads')
    chmodSync(dirname(path), 0o755)
    mkdirSync(dirname(headsFile), 0o755)
    const expected = [...DATABASE_FILES.map((end) => path + end), headsFile]
    for (const state of ['new', 'left open to all']) {
      const modes = modesUnder(umask, path, headsFile)
      for (const file of expected) {
        expect(modes[file], `${file}, ${state}, umask ${umask.toString(8)}`).toBe('600')
        files++
      }
      for (const file of expected) openToAll(file)
    }
  }
  await annotate(`${files} of ${files} files 0600 under ${UMASKS.length} umasks`, 'promise')
})

/** Sets the mode that earlier versions gave their files. */
function openToAll(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) chmodSync(file, 0o644)
}

test('[X14] folders that are made for a store are for its owner alone', () => {
  const parent = dirname(freshPath())
  const path = join(parent, 'a', 'b', 'log.db')
  const headsFile = join(parent, 'c', 'd', 'log.heads')
  modesUnder(0, path, headsFile)
  const folders = [dirname(path), join(parent, 'a'), dirname(headsFile), join(parent, 'c')]
  for (const folder of folders) expect(statSync(folder).mode & 0o777, folder).toBe(0o700)
})
