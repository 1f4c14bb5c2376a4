import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigurationError } from '../../apps/configuration-error.ts'
import { readConfiguration } from '../../apps/configuration.ts'
import { straceWorks } from '../durability/syscalls.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment, emptyFolder, failToStart } from '../server-process.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'

const LONG = 'CANARY-0123456789-0123456789-0123456789'
const FIRST_STARTS = timesInTier({ quick: 8, full: 50 })

/** Each of them is refused by a line that names this variable and says this. */
const BAD: readonly (readonly [variable: string, fault: string, env: Record<string, string>])[] = [
  ['SECRET', 'is empty', { SECRET: '' }],
  ['SECRET', 'is empty', { SECRET: ' ' }],
  ['SECRET', 'is empty', { SECRET: ' '.repeat(40) }],
  ['SECRET', 'is empty', { SECRET: '\n' }],
  ['SECRET', 'has 1 bytes', { SECRET: 'C' }],
  ['SECRET', 'has 31 bytes', { SECRET: LONG.slice(0, 31) }],
  ['SECRET', 'has 6 bytes', { SECRET: `CANARY${' '.repeat(40)}` }],
  ['SECRET', 'a value of 6 bytes', { SECRET: `${LONG},CANARY` }],
  ['SECRET', 'an empty value', { SECRET: `${LONG},` }],
  ['SECRET', 'an empty value', { SECRET: `,${LONG}` }],
  ['SECRET', 'an empty value', { SECRET: `${LONG}, ,${LONG}` }],
  ['SECRET', '11 values', { SECRET: Array.from({ length: 11 }, () => LONG).join(',') }],
  ['OPERATOR_TOKEN', 'is empty', { OPERATOR_TOKEN: '' }],
  ['OPERATOR_TOKEN', 'blank', { OPERATOR_TOKEN: ' '.repeat(40) }],
  ['OPERATOR_TOKEN', 'blank', { OPERATOR_TOKEN: `${LONG} ` }],
  ['OPERATOR_TOKEN', 'has 6 characters', { OPERATOR_TOKEN: 'CANARY' }],
  ['OPERATOR_TOKEN', 'has 31 characters', { OPERATOR_TOKEN: LONG.slice(0, 31) }],
  ['OPERATOR_TOKEN', 'has 1025 characters', { OPERATOR_TOKEN: 'C'.repeat(1_025) }],
  ['HOST', 'set OPERATOR_TOKEN', { HOST: '0.0.0.0' }],
]

const BAD_FILES: readonly (readonly [fault: string, text: string | undefined])[] = [
  ['is empty', ''],
  ['is empty', '  \n'],
  ['has 6 bytes', 'CANARY\n'],
  ['an empty value', `${LONG},\n`],
  ['cannot be read', undefined],
]

test('[X14] no server starts with a secret or an operator token that can be guessed or read', async ({
  annotate,
}) => {
  const started: string[] = []
  for (const [variable, fault, env] of BAD) {
    const reading = readConfiguration({ DATA_DIR: await emptyFolder(), ...env })
    const refused: unknown = await reading.catch((error: unknown) => error)
    if (!isRefusal(refused, variable, fault)) started.push(`${variable}: ${String(refused)}`)
  }
  for (const [fault, text] of BAD_FILES) {
    const DATA_DIR = await emptyFolder()
    const path = join(DATA_DIR, 'secret')
    if (text === undefined) mkdirSync(path)
    else writeFileSync(path, text)
    const refused: unknown = await readConfiguration({ DATA_DIR }).catch((error: unknown) => error)
    if (!isRefusal(refused, 'SECRET', fault)) started.push(`file "${text}": ${String(refused)}`)
  }
  expect(started).toEqual([])
  await annotate(
    `${started.length} of ${BAD.length + BAD_FILES.length} bad settings started`,
    'promise',
  )
})

function isRefusal(error: unknown, variable: string, fault: string): boolean {
  if (!(error instanceof ConfigurationError)) return false
  const { message } = error
  return message.startsWith(variable) && message.includes(fault) && !/CANARY|\n/.test(message)
}

const ENDS = [{ SECRET: 'short' }, { OPERATOR_TOKEN: 'short' }, {}].slice(
  0,
  timesInTier({ quick: 1, full: 3 }),
)

test('[X14] a bad secret ends the process with 1 and one line', async () => {
  const DATA_DIR = await emptyFolder()
  writeFileSync(join(DATA_DIR, 'secret'), '')
  for (const env of ENDS) {
    const { code, said } = await failToStart({ DATA_DIR, ...env })
    expect(code).toBe(1)
    expect(said).toMatch(/^(SECRET|OPERATOR_TOKEN) [^\n]+: [^\n]+\n$/)
  }
})

test('[X14] many first starts at once in one data folder agree on one secret', async ({
  annotate,
}) => {
  const dataDir = await emptyFolder()
  const starts = Array.from({ length: FIRST_STARTS }, () => spawnReader(dataDir))
  await Promise.all(starts.map(({ ready }) => ready))
  for (const { go } of starts) go()
  const said = await Promise.all(starts.map(({ ended }) => ended))
  const secrets = new Set(said.map((text) => /secret (\S{43})\n$/.exec(text)?.[1]))
  expect([...secrets]).toEqual([readFileSync(join(dataDir, 'secret'), 'utf8').trim()])
  expect(readdirSync(dataDir)).toEqual(['secret'])
  await annotate(`${FIRST_STARTS} first starts at once read ${secrets.size} secret`, 'promise')
}, 120_000)

function spawnReader(dataDir: string) {
  const program = [...programArguments('print-secret'), dataDir]
  const child = spawn(process.execPath, program, {
    env: bareEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  return {
    ready: once(child.stdout, 'data'),
    go: () => child.stdin.end('go'),
    ended: once(child, 'close').then(() => said),
  }
}

const STORED = ['secret', 'throughline.db', 'throughline.db-wal', 'throughline.db.heads']
/** The first ones take nothing from a file, or all. */
const MODES = [0o000, 0o777, 0o022, 0o077].slice(0, timesInTier({ quick: 2, full: 4 }))

test('[X14] under any umask the data folder is 0700 and every file in it 0600', async ({
  annotate,
}) => {
  const found: string[] = []
  for (const umask of MODES) {
    const DATA_DIR = join(await emptyFolder(), 'data')
    const server = startUnder(umask, DATA_DIR)
    await once(server.stdout, 'data')
    const files = readdirSync(DATA_DIR, { withFileTypes: true })
      .filter(
        (entry) => modeOf(join(DATA_DIR, entry.name)) !== (entry.isDirectory() ? '700' : '600'),
      )
      .map(({ name }) => name)
    expect(readdirSync(DATA_DIR)).toEqual(expect.arrayContaining(STORED))
    if (modeOf(DATA_DIR) !== '700' || files.length > 0) {
      found.push(`umask ${umask.toString(8)}: ${modeOf(DATA_DIR)} ${files.join(' ')}`)
    }
    server.kill()
    await once(server, 'exit')
  }
  expect(found).toEqual([])
  await annotate(`${found.length} of ${MODES.length} umasks left a file open to others`, 'promise')
})

/** The server with a umask, which a process inherits: its ready line is the first it prints. */
function startUnder(umask: number, DATA_DIR: string) {
  const server = [process.execPath, ...programArguments('server')]
  const shell = ['-c', 'umask "$0"; exec "$@"', umask.toString(8), ...server]
  const env = { ...bareEnvironment(), PORT: '0', LOG_LEVEL: 'silent', DATA_DIR }
  const child = spawn('sh', shell, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('[X14] a secret file that others could read is closed to them at the next start', async () => {
  const DATA_DIR = await emptyFolder()
  const path = join(DATA_DIR, 'secret')
  writeFileSync(path, LONG)
  chmodSync(path, 0o644)
  expect(await readConfiguration({ DATA_DIR })).toMatchObject({ secrets: [LONG] })
  expect(modeOf(path)).toBe('600')
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** How a first start is kept from writing: at its first bytes, at a sync, at the file's name. */
const FULL: readonly (readonly string[])[] = [
  ['prlimit', '--fsize=8'],
  strace('fsync:error=ENOSPC:when=1'),
  strace('fsync:error=ENOSPC:when=2'),
  strace('link:error=ENOSPC'),
]

function strace(fault: string): readonly string[] {
  const [call = ''] = fault.split(':')
  return ['strace', '-f', '-o', '/dev/null', `-etrace=${call}`, `-einject=${fault}`]
}

test.runIf(straceWorks())(
  '[X14] a first start on a full disk leaves no empty secret and says why; the next one makes it whole',
  async ({ annotate }) => {
    let bad = 0
    for (const full of FULL) {
      const dataDir = await emptyFolder()
      const program = [...programArguments('print-secret'), dataDir]
      const [command = '', ...args] = [...full, process.execPath, ...program]
      const { status, stdout } = spawnSync(command, args, {
        // strace counts the calls of each thread.
        env: { ...bareEnvironment(), UV_THREADPOOL_SIZE: '1' },
        input: 'go',
        encoding: 'utf8',
      })
      expect([full, status]).toEqual([full, 1])
      expect(stdout).toMatch(
        /SECRET cannot be kept in the file "[^"]+" \((ENOSPC|EFBIG)[^\n]+: [^\n]+\n$/,
      )
      const [left, ...more] = readdirSync(dataDir)
      const { secrets } = await readConfiguration({ DATA_DIR: dataDir })
      if (more.length > 0 || (left !== undefined && left !== 'secret')) bad++
      if (secrets[0].length !== 43) bad++
    }
    expect(bad).toBe(0)
    await annotate(`${bad} of ${FULL.length} full disks left an empty or cut secret`, 'promise')
  },
  60_000,
)
