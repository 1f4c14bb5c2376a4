import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { programArguments } from '../program.fixture.ts'
import { bareEnvironment } from '../server-process.fixture.ts'

export interface WatchedServer {
  readonly url: string
  /** All that it has written so far. */
  output(): string
  end(): Promise<void>
}

/** The server in a process of its own, whose every word is kept. */
export async function startWatched(env: Readonly<Record<string, string>>): Promise<WatchedServer> {
  const child = spawn(process.execPath, programArguments('server'), {
    env: { ...bareEnvironment(), PORT: '0', LOG_LEVEL: 'trace', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += String(chunk)
      const url = /throughline ready (\S+)/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`Cannot start the server: ${output}`)))
  })
  return {
    url: await ready,
    output: () => output,
    async end() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** A service that answers everything with a failure that repeats the request, and its addresses. */
export async function startEcho(status: number) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      asked.push(request.url ?? '')
      const message = `cannot take: ${body}`
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'x-echo': encodeURIComponent(body),
        })
        .end(JSON.stringify({ type: 'error', error: { type: 'api_error', message }, message }))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked }
}
