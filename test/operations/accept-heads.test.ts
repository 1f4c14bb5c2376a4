import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../src/storage/index.ts'
import { newFolder } from '../folders.fixture.ts'
import { programArguments } from '../program.fixture.ts'
import {
  bareEnvironment,
  emptyFolder,
  failToStart,
  startServer,
} from '../server-process.fixture.ts'

const SECRET = 'the secret of a server under test'
const OPERATOR_TOKEN = 'the operator of a server under test'.replaceAll(' ', '-')

function runScript(env: Readonly<Record<string, string>>, ...given: readonly string[]) {
  const script = [...programArguments('accept-heads'), ...given]
  return spawnSync(process.execPath, script, {
    cwd: newFolder(),
    env: { ...bareEnvironment(), ...env },
    encoding: 'utf8',
  })
}

/** A stopped server's folder with one thread of two records, its heads signed with the secret. */
async function madeFolder(SECRET: string) {
  const DATA_DIR = newFolder()
  const path = join(DATA_DIR, 'throughline.db')
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [SECRET] })
  await log.append(
    't',
    ['one', 'two'].map((data) => ({ type: 'told', data })),
  )
  await log.close()
  return { DATA_DIR, path }
}

test('[L11] accept-heads refuses sound heads and leaves them as they are', async () => {
  const { DATA_DIR, path } = await madeFolder(SECRET)
  const before = readFileSync(`${path}.heads`)
  expect(runScript({ DATA_DIR, SECRET })).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `Cannot begin the heads file "${realpathSync(path)}.heads" anew: it is sound and fits the database, so there is nothing to mend\n`,
  })
  expect(readFileSync(`${path}.heads`)).toEqual(before)
  rmSync(`${path}.heads`)
  expect(runScript({ DATA_DIR, SECRET }).stdout).toContain(
    'begins anew: 2 records in 1 thread are unanchored.',
  )
})

test('[L11] accept-heads begins anew where the heads are ahead of a restored database', async () => {
  const { DATA_DIR, path } = await madeFolder(SECRET)
  copyFileSync(path, `${path}.backup`)
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [SECRET] })
  await log.append('t', [{ type: 'told', data: 'three' }])
  await log.close()
  renameSync(`${path}.backup`, path)
  const { status, stdout } = runScript({ DATA_DIR, SECRET })
  expect(status).toBe(0)
  expect(stdout).toContain('The former file is kept as ')
  expect(stdout).toContain('2 records in 1 thread are unanchored.')
})

test('[L11] accept-heads makes neither a folder nor a secret', async () => {
  const { DATA_DIR, path } = await madeFolder(SECRET)
  rmSync(`${path}.heads`)
  const before = readdirSync(DATA_DIR)
  const mend = 'set SECRET or DATA_DIR as the server has them'
  for (const run of [runScript({}, path), runScript({ DATA_DIR })]) {
    expect(run).toMatchObject({ status: 1, stdout: '' })
    expect(run.stderr).toContain(mend)
  }
  const missing = join(newFolder(), 'missing')
  const wrong = runScript({ DATA_DIR: missing })
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain('Cannot find a database at')
  expect(existsSync(missing)).toBe(false)
  expect(readdirSync(DATA_DIR)).toEqual(before)
})

test('[L11] accept-heads reads the secret beside a database that it is given by name', async () => {
  const { DATA_DIR, path } = await madeFolder(SECRET)
  writeFileSync(join(DATA_DIR, 'secret'), SECRET, { mode: 0o600 })
  rmSync(`${path}.heads`)
  expect(runScript({}, path).status).toBe(0)
  await (await openLog(`sqlite:${path}`, { anchorKeys: [SECRET] })).close()
})

test('[L11] a server with another SECRET names it, and puts the mend that loses something last', async () => {
  const { DATA_DIR } = await madeFolder(SECRET)
  const { code, said } = await failToStart({ DATA_DIR, SECRET: `${SECRET} that came later` })
  expect(code).toBe(1)
  expect(said).toContain(
    `SECRET does not match the data in "${DATA_DIR}": set the SECRET that signed "throughline.db.heads" (after the new one, separated by a comma, to rotate)`,
  )
  expect(said).toMatch(/"npm run accept-heads", which cannot be undone: [^;]+$/)
})

test('a server with a SECRET adopts it for a store that had none, and verifies from where', async () => {
  const DATA_DIR = newFolder()
  const path = join(DATA_DIR, 'throughline.db')
  const log = await openLog(`sqlite:${path}`)
  await log.append('t', [{ type: 'told', data: {} }])
  await log.close()
  const env = { DATA_DIR, SECRET, OPERATOR_TOKEN }
  const server = await startServer(env)
  const response = await fetch(`${server.url}/api/verify`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  expect(await response.json()).toMatchObject({
    ok: true,
    unanchored: 0,
    adopted: { threads: 1, ts: expect.any(Number) as number },
    findings: [],
  })
  await server.end('SIGTERM')
  const { code } = await failToStart({ ...env, SECRET: `${SECRET} that came later` })
  expect(code).toBe(1)
})

test('[L11] a server whose heads are lost does not start until the operator accepts the loss', async () => {
  const DATA_DIR = await emptyFolder()
  const HEADS_FILE = join(await emptyFolder(), 'elsewhere', 'heads')
  const env = { DATA_DIR, SECRET, HEADS_FILE, OPERATOR_TOKEN }
  const path = join(DATA_DIR, 'throughline.db')
  const log = await openLog(`sqlite:${path}`, { anchorKeys: [SECRET], headsFile: HEADS_FILE })
  await log.append('t', [{ type: 'told', data: {} }])
  await log.close()
  renameSync(HEADS_FILE, `${HEADS_FILE}.lost`)
  const { code, said } = await failToStart(env)
  expect(code).toBe(1)
  expect(said).toContain(`the heads file "${HEADS_FILE}" is missing`)
  expect(said).toContain('npm run accept-heads')
  expect(existsSync(HEADS_FILE)).toBe(false)
  expect(runScript(env)).toMatchObject({
    status: 0,
    stdout: `${HEADS_FILE} begins anew: 1 record in 1 thread is unanchored.\n`,
  })
  const server = await startServer(env)
  const response = await fetch(`${server.url}/api/verify`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  expect(await response.json()).toMatchObject({
    ok: true,
    // The case, and the team's thread that every start begins.
    threads: 2,
    unanchored: 1,
    findings: [{ thread: 't', unanchored: 1, unanchoredFrom: [0] }],
  })
  await server.end('SIGTERM')
  expect(readdirSync(DATA_DIR)).not.toContain('throughline.db.heads')
})
