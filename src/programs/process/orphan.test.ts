import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../../test/folders.fixture.ts'
import { endOrphan } from './orphan.ts'

const MARK = '--output-format=stream-json'

async function program(cwd: string) {
  const code = 'console.log("up"); setInterval(() => undefined, 1000)'
  const child = spawn(process.execPath, ['--eval', code, '--', MARK], { cwd, detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { child, pid: child.pid ?? 0, exited: once(child, 'exit') }
}

test('a program whose server was killed is ended before another takes its place', async () => {
  const cwd = newFolder()
  const { pid, exited, child } = await program(cwd)
  await endOrphan({ pid, cwd, mark: MARK })
  await exited
  expect(child.signalCode).toBe('SIGKILL')
})

test.each([
  ['that works in another folder', { cwd: newFolder() }],
  ['of another kind', { mark: '--another' }],
  ['that has ended', { pid: 0 }],
])('a process %s is left alone', async (_which, changes) => {
  const cwd = newFolder()
  const { pid, child } = await program(cwd)
  await endOrphan({ pid, cwd, mark: MARK, ...changes })
  expect(child.exitCode ?? child.signalCode).toBeNull()
})
