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
  '.side',
  '.side-shm',
  '.side-wal',
]

const door = JSON.stringify(new URL('../index.ts', import.meta.url).href)

interface Store {
  readonly umask: number
  readonly path: string
  readonly headsFile: string
}

type Modes = Readonly<Record<string, string>>

/**
 * Works with each store under its umask, then again with the modes that earlier versions gave their files.
 * Returns the mode of each file while the log is open, both times. A umask is the whole process's.
 */
function modesOf(stores: readonly Store[]): readonly (readonly [string, Modes, Store])[] {
  const program = `
    import { chmodSync, readdirSync, statSync } from 'node:fs'
    import { dirname, join } from 'node:path'
    import { openStore } from ${door}
    async function modesOf({ path, headsFile }) {
      const { log, shelves, snapshots, close } = await openStore('sqlite:' + path, { headsFile })
      const [record] = await log.append('t', [{ type: 'tried', data: {} }])
      const kept = { seq: 0, hash: record.hash, body: '{}' }
      await snapshots.put('t', { name: 'n', version: 'v' }, kept)
      await shelves.change({})
      const modes = Object.fromEntries(filesOf({ path, headsFile }).map((file) => [file, mode(file)]))
      await close()
      return modes
    }
    const filesOf = ({ path, headsFile }) => [dirname(path), dirname(headsFile)].flatMap((folder) =>
      readdirSync(folder).map((file) => join(folder, file)))
    const mode = (file) => (statSync(file).mode & 0o777).toString(8)
    const told = []
    for (const store of ${JSON.stringify(stores)}) {
      process.umask(store.umask)
      told.push(['new', await modesOf(store), store])
      for (const file of filesOf(store)) if (statSync(file).isFile()) chmodSync(file, 0o644)
      told.push(['left open to all', await modesOf(store), store])
    }
    console.log(JSON.stringify(told))`
  const options = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']
  const args = [...options, '--input-type=module', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  // Printed by the program above.
  return JSON.parse(stdout) as [string, Modes, Store][]
}

test('[X14] only its owner can read a file of a store, whatever the umask and an older version left', async ({
  annotate,
}) => {
  const stores = UMASKS.map((umask) => {
    const path = freshPath()
    const headsFile = join(dirname(path), 'heads', 'log.heads')
    chmodSync(dirname(path), 0o755)
    mkdirSync(dirname(headsFile), 0o755)
    return { umask, path, headsFile }
  })
  let files = 0
  for (const [state, modes, { umask, path, headsFile }] of modesOf(stores)) {
    for (const file of [...DATABASE_FILES.map((end) => path + end), headsFile]) {
      expect(modes[file], `${file}, ${state}, umask ${umask.toString(8)}`).toBe('600')
      files++
    }
  }
  expect(files).toBe(2 * UMASKS.length * (DATABASE_FILES.length + 1))
  await annotate(`${files} of ${files} files 0600 under ${UMASKS.length} umasks`, 'promise')
})

test('[X14] folders that are made for a store are for its owner alone', () => {
  const parent = dirname(freshPath())
  const path = join(parent, 'a', 'b', 'log.db')
  const headsFile = join(parent, 'c', 'd', 'log.heads')
  modesOf([{ umask: 0, path, headsFile }])
  const folders = [dirname(path), join(parent, 'a'), dirname(headsFile), join(parent, 'c')]
  for (const folder of folders) expect(statSync(folder).mode & 0o777, folder).toBe(0o700)
})
