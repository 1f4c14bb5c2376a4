import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, startServer } from '../server-process.fixture.ts'

/** They have a lock file of their own: `npm ci --prefix test/clients` installs them. */
const notInstalled = !existsSync('test/clients/node_modules')

/** What a client of another maker prints of its conversation with a new server. */
async function conversation(client: string): Promise<Readonly<Record<string, unknown>>> {
  const server = await startServer({ DATA_DIR: await emptyFolder() })
  onTestFinished(async () => void (await server.end('SIGTERM')))
  const run = promisify(execFile)
  const options = { timeout: 60_000 }
  const { stdout } = await run(process.execPath, [`test/clients/${client}`, server.url], options)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

test.skipIf(notInstalled)(
  'CopilotKit finds the agents, asks, approves under the interrupted run’s id, and joins again',
  async () => {
    const { agents, approvals, said, joined } = await conversation('copilotkit.mjs')
    expect(agents).toEqual(expect.arrayContaining(['desk', 'policy', 'customer', 'installer']))
    expect(approvals).toBe(1)
    expect(said).toContain('£89.00')
    expect(joined).toBe(said)
  },
)

test.skipIf(notInstalled)(
  'TanStack AI talks with an agent, and goes on by itself after a cut',
  async () => {
    const { first, second, roles, connections } = await conversation('tanstack.mjs')
    expect(first).toContain('This is the refunds desk')
    expect(second).toContain('This is the refunds desk')
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(connections).toBe(3)
  },
)
