import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { newFolder } from './folders.fixture.ts'
import { programArguments } from './program.fixture.ts'

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

/** Runs a server that is expected to exit, and resolves with its reason. */
export async function failToStart(env: Readonly<Record<string, string>>) {
  const child = launch(env)
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

/** A folder that goes when the tests of the file have run. */
export async function emptyFolder(): Promise<string> {
  return newFolder()
}

/** The whole environment of a program of ours: the path to Node, and compiled sources. */
export function bareEnvironment(): Readonly<Record<string, string | undefined>> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}

function launch(env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, programArguments('server'), {
    env: { ...bareEnvironment(), PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
