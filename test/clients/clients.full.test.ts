import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyFolder, startServer } from '../server-process.fixture.ts'
import type { ServerProcess } from '../server-process.fixture.ts'

/** They have a lock file of their own: `npm ci --prefix test/clients` installs them. */
const notInstalled = !existsSync('test/clients/node_modules')

let server: ServerProcess

beforeAll(async () => {
  if (!notInstalled) server = await startServer({ DATA_DIR: await emptyFolder() })
})

afterAll(async () => {
  if (!notInstalled) await server.end('SIGTERM')
})

/** What a client of another maker prints of its conversation in threads of its own. */
async function conversation(
  client: string,
  ...scenes: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const run = promisify(execFile)
  const options = { timeout: 60_000 }
  const flag = '--conditions=throughline-source'
  const file = `test/clients/${client}`
  const { stdout } = await run(process.execPath, [flag, file, server.url, ...scenes], options)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
}

// Most of their time is the desk's own pauses.
describe.skipIf(notInstalled)('clients of other makers', { concurrent: true }, () => {
  test('CopilotKit finds the agents, asks, approves under the interrupted run’s id, and joins again', async () => {
    const { agents, approvals, said, joined } = await conversation('copilotkit.mjs')
    expect(agents).toEqual(expect.arrayContaining(['desk', 'policy', 'customer', 'installer']))
    expect(approvals).toBe(1)
    expect(said).toContain('£89.00')
    expect(joined).toBe(said)
  })

  test('TanStack AI talks with an agent, goes on by itself after a cut, and approves, after a reload too', async () => {
    const seen = await conversation('tanstack.mjs')
    const { first, second, roles, connections, resolvable, approved, reload } = seen
    expect(first).toContain('This is the refunds desk')
    expect(second).toContain('This is the refunds desk')
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(connections).toBe(3)
    expect(resolvable).toEqual([true])
    expect(approved).toContain('£89.00')
    expect(reload).toMatchObject({
      joined: { isSame: true, roles: ['user', 'assistant'] },
      questions: [true],
      approved: expect.stringContaining('£89.00'),
    })
  })

  test('assistant-ui asks, and approves in a second tab', async () => {
    const { approval } = await conversation('assistant-ui.mjs', 'approval')
    const refunded = expect.stringContaining('We give you back £89.00')
    expect(approval).toMatchObject({
      before: {
        first: { ended: 'interrupt', questions: 1 },
        second: { ended: 'interrupt', questions: 1 },
        late: { ended: 'interrupt', questions: 1 },
      },
      approved: { said: refunded, questions: 0, errors: [] },
      last: { said: refunded, questions: 0, errors: [] },
    })
  })

  test('assistant-ui runs a client tool, and goes on after a cut', async () => {
    const scenes = ['clientTool', 'cut', 'resumed']
    const { clientTool, cut, resumed } = await conversation('assistant-ui.mjs', ...scenes)
    expect(clientTool).toEqual({
      said: expect.stringContaining('We give you back £24.00'),
      photos: 1,
    })
    const whole = expect.stringMatching(/^This is the refunds desk.*4713\.$/)
    expect(cut).toMatchObject({ shown: { ended: 'error' }, again: { said: whole } })
    expect(resumed).toEqual({ said: whole, isResumed: true })
  })
})
