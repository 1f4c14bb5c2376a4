import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newSigningKey, noteOf, signerOf, verifierOf } from '../checkpoints/index.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { newFolder } from '../../test/folders.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'
import { mounted, report, responder } from './mounted-routes.fixture.ts'

const KEY = newSigningKey('shop.example/log')
const OPERATOR = { role: 'operator', actor: 'kim' }

async function reported(witnesses: readonly string[] = []) {
  const { ask, throughline, http } = await mounted({ checkpointKey: KEY, witnesses })
  onTestFinished(() => http.close())
  const add = (thread: string) => throughline.propose(thread, report.events)
  await add('a')
  await add('b')
  const textAt = async (path: string) => {
    const headers = { caller: JSON.stringify(OPERATOR) }
    return (await http.fetch(new Request(`http://any.example${path}`, { headers }))).text()
  }
  return { ask, add, textAt }
}

test('an operator gets a checkpoint, and proofs that it grows; a role gets the proof of what it reads whole', async () => {
  const { ask, add, textAt } = await reported()
  const first = await textAt('/api/checkpoint')
  expect(verifierOf(signerOf(KEY).verifier).isSignedBy(noteOf(first))).toBe(true)
  await add('a')
  const { body } = await ask('/api/checkpoint/consistency?from=2', OPERATOR)
  expect(body).toMatchObject({ from: 2, to: 3, hashes: [expect.any(String)] })
  const proof = await ask('/api/threads/a/checkpoint', { role: 'auditor', actor: 'ann' })
  expect(proof).toMatchObject({ status: 200, body: { thread: 'a', seq: 1, index: 2 } })
  for (const [path, caller, status] of [
    ['/api/checkpoint', responder, 403],
    ['/api/checkpoint/consistency?from=0', responder, 403],
    ['/api/threads/a/checkpoint', responder, 403],
    ['/api/threads/a/checkpoint', undefined, 401],
    ['/api/threads/none/checkpoint', OPERATOR, 404],
    ['/api/checkpoint/consistency?from=4&to=9', OPERATOR, 400],
    ['/api/checkpoint/consistency?from=x', OPERATOR, 400],
  ] as const)
    expect([path, (await ask(path, caller)).status]).toEqual([path, status])
  expect(await textAt('/api/checkpoint/verifier')).toContain("default-src 'none'")
})

test('without a key there is no checkpoint, and a key that is none ends the start', async () => {
  const { ask } = await mounted()
  expect((await ask('/api/checkpoint', OPERATOR)).status).toBe(404)
  await expect(mounted({ checkpointKey: 'secret' })).rejects.toMatchObject({ code: 'invalid_key' })
  for (const wrong of [{ checkpointEveryMs: Number.NaN }, { witnesses: ['file:///x'] }])
    await expect(mounted({ checkpointKey: KEY, ...wrong })).rejects.toMatchObject({
      code: 'invalid_option',
    })
})

async function startWitness(): Promise<{ readonly url: string; readonly state: string }> {
  const folder = newFolder()
  const [state, file] = [join(folder, 'state'), join(folder, 'key')]
  writeFileSync(file, newSigningKey('witness.example'))
  const args = ['witness', '--log', signerOf(KEY).verifier, '--key-file', file, '--state', state]
  const child = spawn(
    process.execPath,
    [...programArguments('throughline'), ...args, '--port', '0'],
    {
      env: bareEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [text]: readonly unknown[] = await once(child.stdout, 'data')
  const [, url = ''] = /witness ready (\S+)/.exec(String(text)) ?? []
  return { url, state }
}

const signersOf = (note: string) => noteOf(note).signatures.map(({ name }) => name)

test('a witness in a process of its own signs each checkpoint, and one that does not answer keeps none away', async () => {
  const witness = await startWitness()
  const closed = createServer().listen(0)
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const { add, textAt } = await reported([witness.url, `http://127.0.0.1:${port}`])
  const first = await textAt('/api/checkpoint')
  expect(signersOf(first)).toEqual(['shop.example/log', 'witness.example'])
  await add('c')
  expect(signersOf(await textAt('/api/checkpoint'))).toEqual([
    'shop.example/log',
    'witness.example',
  ])
  expect(readFileSync(witness.state, 'utf8')).toMatch(/^3\n/)
  // A log that was begun anew is another history.
  const other = await reported([witness.url])
  expect(signersOf(await other.textAt('/api/checkpoint'))).toEqual(['shop.example/log'])
})
