import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Sends the signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

/** The server as `npm start` runs it, in a process of its own. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const child = launch(env)
  const ended = once(child, 'exit')
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const url = /throughline ready (\S+)/.exec(output)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      pid: child.pid ?? 0,
      async end(signal) {
        const since = performance.now()
        child.kill(signal)
        const [code] = (await ended) as [number | null]
        return { code, ms: performance.now() - since }
      },
    }
  }
  throw new Error(`Cannot start the server: ${output}`)
}

/** Runs a server that is expected to give up, and resolves with why. */
export async function failToStart(env: Readonly<Record<string, string>>) {
  const child = launch(env)
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

const folders: string[] = []

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

/** A folder that goes when the tests of the file have run. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-'))
  folders.push(folder)
  return folder
}

function launch(env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, ['--conditions=throughline-source', 'apps/main.ts'], {
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
