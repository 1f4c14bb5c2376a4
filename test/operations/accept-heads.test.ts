import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../src/storage/index.ts'
import {
  bareEnvironment,
  emptyFolder,
  failToStart,
  startServer,
} from '../server-process.fixture.ts'

const OPERATOR_TOKEN = 'the operator of a server under test'.replaceAll(' ', '-')

test('[L11] a server whose heads are lost does not start until the operator accepts the loss', async () => {
  const DATA_DIR = await emptyFolder()
  const SECRET = 'the secret of a server under test'
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
  const script = ['--conditions=throughline-source', 'scripts/accept-heads.ts']
  const accepted = spawnSync(process.execPath, script, {
    env: { ...bareEnvironment(), ...env },
    encoding: 'utf8',
  })
  expect(accepted).toMatchObject({
    status: 0,
    stdout: `${HEADS_FILE} begins anew: 1 records in 1 threads are unanchored.\n`,
  })
  const server = await startServer(env)
  const response = await fetch(`${server.url}/api/verify`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  expect(await response.json()).toMatchObject({
    ok: true,
    threads: 1,
    unanchored: 1,
    findings: [{ thread: 't', unanchored: 1, unanchoredFrom: [0] }],
  })
  await server.end('SIGTERM')
  expect(readdirSync(DATA_DIR)).not.toContain('throughline.db.heads')
})
