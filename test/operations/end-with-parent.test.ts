import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { bareEnvironment, emptyFolder } from '../server-process.fixture.ts'

const END_MAX_MS = 10_000
/** Long enough that a server which looks for its parent would have looked several times. */
const OUTLIVES_MS = 3_000

const preload = resolve('test/programs/note-exit.ts')

/** Starts a server by a command, and resolves once it serves; `note` has its process id and its end. */
async function startBy(command: readonly [string, ...string[]]) {
  const folder = await emptyFolder()
  const note = join(folder, 'note')
  writeFileSync(note, '')
  const env = {
    ...bareEnvironment(),
    HOME: folder,
    PORT: '0',
    STORE: 'memory',
    DATA_DIR: join(folder, 'data'),
    EXIT_NOTE: note,
    NODE_OPTIONS: `--import=${preload}`,
    npm_config_update_notifier: 'false',
  }
  const [file, ...args] = command
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  const url = () => /throughline ready (\S+)/.exec(said)?.[1]
  await expect.poll(url, { timeout: 60_000 }).toBeDefined()
  const server = Number(readFileSync(note, 'utf8').trim())
  onTestFinished(() => void isAlive(server, 'SIGKILL'))
  const code = () => readFileSync(note, 'utf8').split(' ')[1]
  return { child, ended, server, code, port: Number(new URL(url() ?? '').port) }
}

/** Whether a process takes a signal; 0 only asks. */
function isAlive(pid: number, signal: 0 | NodeJS.Signals = 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
    return false
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    return false
  } finally {
    socket.destroy()
  }
}

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`a server that npm started ends with npm: ${signal}`, async () => {
    // Without scripts means without those before and after the one that is named.
    const { child, server, code, port } = await startBy(['npm', 'start', '--ignore-scripts'])
    expect(await isListening(port)).toBe(true)
    child.kill(signal)
    await expect.poll(code, { timeout: END_MAX_MS }).toBe('0')
    await expect.poll(() => isAlive(server), { timeout: END_MAX_MS }).toBe(false)
    expect(await isListening(port)).toBe(false)
  })
}

test('a server that a shell started in the background outlives the shell', async () => {
  const command = `nohup "${process.execPath}" --conditions=throughline-source apps/main.ts &`
  const { ended, server, code, port } = await startBy(['sh', '-c', command])
  await ended
  await pause(OUTLIVES_MS)
  expect(isAlive(server)).toBe(true)
  expect(await isListening(port)).toBe(true)
  isAlive(server, 'SIGTERM')
  await expect.poll(code, { timeout: END_MAX_MS }).toBe('0')
})
