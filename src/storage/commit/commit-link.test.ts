import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { fullTest } from '../../../test/tier.fixture.ts'
import { LogError } from '../../log/index.ts'
import type { NewEvent } from '../../log/index.ts'
import { decodeAppends, decodeCommitted, encodeAppends, encodeCommitted } from './commit-wire.ts'
import type { Committed } from './committer.ts'
import { committerOn, drafted } from './committer.fixture.ts'
import { openLog } from '../open-log.ts'
import { counted, freshPath } from '../sqlite-folder.fixture.ts'
import { openOnASlowDisk } from '../slow-disk.fixture.ts'

const [door, slowDisk] = ['../index.ts', '../slow-disk.fixture.ts'].map((file) =>
  JSON.stringify(new URL(file, import.meta.url).href),
)

/** Runs a program that has a log open, as a first-time user would. */
function run(code: string) {
  const program = `
    import { openLog } from ${door}
    import { openOnASlowDisk } from ${slowDisk}
    const path = ${JSON.stringify(freshPath())}
    ${code}`
  const args = ['--conditions=throughline-source', '--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 })
}

const HERE = "const log = await openLog('sqlite:' + path)"
const IN_A_THREAD = 'const log = await openOnASlowDisk(path)'
const APPEND = `
    const [record] = await log.append('t', [{ type: 'tried', data: {} }])
    console.log(record.seq)`

fullTest('a log that was not closed keeps no process from ending', () => {
  expect(run(HERE + APPEND)).toMatchObject({ status: 0, stdout: '0\n', stderr: '' })
  expect(run(IN_A_THREAD + APPEND)).toMatchObject({ status: 0, stdout: '0\n', stderr: '' })
})

test('a log that was closed leaves no thread behind', () => {
  const code = `${IN_A_THREAD}${APPEND}
    await log.close()
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length
    // The port of a thread that has ended closes a little later.
    for (let wait = 0; ports() > 0 && wait < 100; wait++) await new Promise((go) => setTimeout(go, 20))
    console.log(ports())`
  expect(run(code)).toMatchObject({ status: 0, stdout: '0\n0\n', stderr: '' })
})

test('an append that is not awaited is committed before the process ends', () => {
  const append = `
    void log.append('t', [{ type: 'tried', data: {} }]).then(() => console.log('committed'))`
  const committed = { status: 0, stdout: 'committed\n', stderr: '' }
  expect(run(HERE + append)).toMatchObject(committed)
  expect(run(IN_A_THREAD + append)).toMatchObject(committed)
})

test('on a slow disk commits move to a thread of their own, and go on from where they were', async () => {
  const path = freshPath()
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  const quick = await openLog(`sqlite:${path}`)
  const before = await quick.append('t', counted(0, 240))
  await quick.close()
  expect(threads).toBe(0)
  const warnings: string[] = []
  const log = await openOnASlowDisk(path, (warning) => warnings.push(warning))
  expect([threads, warnings]).toEqual([1, []])
  const known = [{ ...counted(7, 8)[0], id: before[4]?.id }, ...counted(240, 243)]
  // The arguments of this test are events.
  const after = await log.append('t', known as NewEvent[], { expectedVersion: 239 })
  expect(after.map(({ seq }) => seq)).toEqual([4, 240, 241, 242])
  expect(after[0]).toEqual(before[4])
  expect(after[1]?.prev).toBe(before.at(-1)?.hash)
  await expect(log.append('t', counted(0, 1), { expectedVersion: 5 })).rejects.toMatchObject({
    code: 'version_conflict',
  })
  const unfit = [...counted(0, 100), { type: '', data: {} }]
  await expect(log.append('u', unfit)).rejects.toMatchObject({ code: 'invalid_event' })
  expect(await log.append('u', counted(0, 100))).toHaveLength(100)
  expect(await log.threads()).toEqual(['t', 'u'])
  expect(await log.verify('t')).toMatchObject({ ok: true, head: 242, unanchored: 0 })
  await log.close()
  process.off('worker', count)
  const again = await openLog(`sqlite:${path}`)
  expect(await again.verify('t')).toMatchObject({ ok: true, head: 242, unanchored: 0 })
  await again.close()
})

fullTest(
  'a bundle without the file of the commit thread goes on without it, and warns',
  async () => {
    const folder = dirname(freshPath())
    const entry = join(folder, 'entry.ts')
    writeFileSync(
      entry,
      `import { openOnASlowDisk } from ${slowDisk?.replace('file://', '')}
    const log = await openOnASlowDisk(process.argv[2], (warning) => console.error(warning))
    for (let n = 0; n < 20; n++) await log.append('t', [{ type: 'tried', data: {} }])
    console.log(await log.verify('t').then(({ ok, head }) => ok && head))
    await log.close()`,
    )
    const output = { entryFileNames: 'bundle.mjs' }
    const bundle = { ssr: entry, outDir: folder, emptyOutDir: false, rolldownOptions: { output } }
    const ssr = { resolve: { conditions: ['throughline-source', 'node'] } }
    await build({ ssr, configFile: false, logLevel: 'silent', root: folder, build: bundle })
    const args = ['--disable-warning=ExperimentalWarning', join(folder, 'bundle.mjs'), freshPath()]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '19\n' })
    expect(stderr).toMatch(
      /^The disk is slow, and the thread for commits cannot start.*bundle.*\n$/,
    )
  },
)

test('appends cross the threads as they were, and so does what became of them', () => {
  const { committer } = committerOn(freshPath())
  const events = ['\ud800 👾 "quoted"', { ü: '\u2028 \\' }, []].map((data) => ({
    type: 'said',
    data,
  }))
  const appends = [drafted('ü "quoted"', events), drafted('t', counted(0, 2))]
  const crossed = decodeAppends(encodeAppends(appends))
  const textsOf = (all: typeof appends | typeof crossed) =>
    all.map(({ thread, drafts }) => [thread, ...drafts.map(({ json }) => json)])
  expect(textsOf(crossed)).toEqual(textsOf(appends))
  const answers = encodeCommitted(committer.commit(crossed))
  const held = encodeCommitted(committer.commit(crossed))
  const [first, again] = [answers, held].map((text) => decodeCommitted(text, appends))
  expect(first).toMatchObject({
    outcomes: [{ records: [{ seq: 0, data: events[0]?.data }, {}, {}] }, {}],
  })
  expect(recordsIn(again)).toEqual(recordsIn(first))
  const busy = new LogError('busy', 'm')
  for (const committed of [
    { status: 'refused', refusal: busy, failure: null },
    { status: 'committed', outcomes: [busy, busy], failure: new LogError('io', 'n'), diskMs: 1 },
  ] as const) {
    expect(decodeCommitted(encodeCommitted(committed), appends)).toEqual(committed)
  }
  committer.close()
})

function recordsIn(committed: Committed | undefined) {
  if (committed?.status !== 'committed') return undefined
  return committed.outcomes.map((outcome) =>
    outcome instanceof LogError ? outcome : outcome.records,
  )
}

test('a log that is closed while its thread for commits starts closes', () => {
  const closed = run(`
    import { openSqlite } from ${JSON.stringify(new URL('../open-sqlite.ts', import.meta.url).href)}
    import { uuidv7 } from ${door}
    const ignore = () => undefined
    const sources = { now: Date.now, id: uuidv7 }
    const log = openSqlite(path, { sources, onFatal: ignore, onWarning: ignore, slowCommitMs: -1 })
    for (let n = 0; n < 8; n++) await log.append('t', [{ type: 'counted', data: {} }])
    await log.close()
    console.log('closed')`)
  expect(closed).toMatchObject({ status: 0, stdout: 'closed\n' })
})
