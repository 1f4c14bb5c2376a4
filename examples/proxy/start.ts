import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { serveAgent } from './agent.ts'

const agent = await serveAgent({
  port: Number(process.env['AGENT_PORT'] ?? 4000),
  pauseMs: Number(process.env['PAUSE_MS'] ?? 60),
})
const { PORT = '3900', STORE = 'sqlite:proxy.db' } = process.env
const command = ['--conditions=throughline-source', '--disable-warning=ExperimentalWarning']
const main = resolve(import.meta.dirname, '../../src/cli/main.ts')
const args = ['proxy', '--agent', `${agent.url}/agui`, '--origin', agent.url]
const proxy = spawn(
  process.execPath,
  [...command, main, ...args, '--name', 'desk', '--store', STORE, '--port', PORT],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const [line] = (await once(proxy.stdout, 'data')) as [Buffer]
const url = String(line).replace('ready', '').trim()
console.log(`The bare agent: ${agent.url}/?agent=/agui`)
console.log(`Behind the log: ${agent.url}/?agent=${url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    proxy.kill(signal)
    agent.close().catch(() => undefined)
  })
}
