import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { FAMILY_VARIABLE } from './family.ts'
import { endOrphan } from './orphan.ts'

const MARK = '--output-format=stream-json'
const NOBODY = 'a family of nobody'

async function program(cwd: string, family = '') {
  const code = 'console.log("up"); setInterval(() => undefined, 1000)'
  const child = spawn(process.execPath, ['--eval', code, '--', MARK], {
    cwd,
    env: { ...process.env, [FAMILY_VARIABLE]: family },
    detached: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { child, pid: child.pid ?? 0, exited: once(child, 'exit') }
}

test('a program whose server was killed is ended before another takes its place', async () => {
  const cwd = newFolder()
  const { pid, exited, child } = await program(cwd)
  await endOrphan({ pid, cwd, mark: MARK, family: NOBODY })
  await exited
  expect(child.signalCode).toBe('SIGKILL')
})

test('a command whose program has ended is ended by the name of its family', async () => {
  const [family, cwd] = [randomUUID(), newFolder()]
  const [command, other] = await Promise.all([program(cwd, family), program(cwd, randomUUID())])
  await endOrphan({ pid: 0, cwd, mark: MARK, family })
  await command.exited
  expect(command.child.signalCode).toBe('SIGKILL')
  expect(other.child.exitCode ?? other.child.signalCode).toBeNull()
})

test.each([
  ['that works in another folder', { cwd: newFolder() }],
  ['of another kind', { mark: '--another' }],
  ['that has ended', { pid: 0 }],
])('a process %s is left alone', async (_which, changes) => {
  const cwd = newFolder()
  const { pid, child } = await program(cwd)
  await endOrphan({ pid, cwd, mark: MARK, family: NOBODY, ...changes })
  expect(child.exitCode ?? child.signalCode).toBeNull()
})
