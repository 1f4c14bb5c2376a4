import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'
import { Checkpoints, newSigningKey, signerOf } from '../checkpoints/index.ts'
import type { SignedCheckpoint } from '../checkpoints/index.ts'
import { addCheckpointBody } from '../checkpoints/witness.ts'
import { memoryLog } from '../../test/memory-log.fixture.ts'

const signer = signerOf(newSigningKey('shop.example/log'))

/** A checkpoint of a log with these threads. */
async function checkpointOf(...threads: readonly string[]): Promise<SignedCheckpoint> {
  const log = memoryLog({ now: () => 5 })
  const origin = { source: 'system', depth: 0 } as const
  for (const thread of threads) await log.append(thread, [{ type: 'began', data: {}, origin }])
  return new Checkpoints({ log, signer }).make()
}

/** The command as a person runs it, and what it answers to a checkpoint. */
async function started() {
  const folder = newFolder()
  const keyFile = join(folder, 'key')
  writeFileSync(keyFile, newSigningKey('witness.example'))
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const state = join(disk, 'state')
  const args = ['--log', signer.verifier, '--key-file', keyFile, '--state', state, '--port', '0']
  const child = spawn(process.execPath, [...programArguments('throughline'), 'witness', ...args], {
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (bytes: Buffer) => (printed += String(bytes)))
  await once(child.stdout, 'data')
  const url = /ready (\S+)/.exec(printed)?.[1] ?? ''
  const ask = async (old: number, { note }: SignedCheckpoint) => {
    const body = addCheckpointBody({ old, proof: [], note })
    const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  return { ask, disk, state, printed: () => printed }
}

test.each([
  ['is away', (disk: string) => renameSync(disk, `${disk}-away`)],
  ['comes back empty', (disk: string) => rmSync(join(disk, 'state'))],
])('a witness whose disk %s signs no other history', async (_how, break_) => {
  const { ask, disk, state, printed } = await started()
  expect(await ask(0, await checkpointOf('a', 'b'))).toMatchObject({ status: 200 })
  break_(disk)
  const forged = await ask(0, await checkpointOf('x', 'y', 'z'))
  expect(forged.status).toBe(500)
  expect(forged.text).not.toContain(state)
  await expect.poll(printed).toContain('state')
})
