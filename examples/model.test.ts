import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compatibleServer } from '../test/models/compatible-server.fixture.ts'
import { googleServer } from '../test/models/google-server.fixture.ts'
import { bareEnvironment } from '../test/server-process.fixture.ts'
import { fullTest } from '../test/tier.fixture.ts'

const run = promisify(execFile)

const printed = (env: Readonly<Record<string, string>>) =>
  run(process.execPath, ['examples/one-agent.ts'], { env: { ...bareEnvironment(), ...env } })

fullTest('an example asks a model of any provider that the server knows', async () => {
  const google = await googleServer(() => 'Twelve lamps.')
  const local = await compatibleServer(() => 'Twelve lamps.')
  const stories = await Promise.all([
    printed({
      MODEL: 'google/gemini-3-pro-preview',
      MODEL_BASE_URL: google.baseUrl,
      GOOGLE_GENERATIVE_AI_API_KEY: 'a-key',
    }),
    printed({ MODEL: 'ollama/qwen3:8b', MODEL_BASE_URL: local.baseUrl }),
  ])
  for (const { stdout } of stories) expect(stdout).toMatch(/^Twelve lamps\.\n\[success: 1 calls/m)
  expect(google.asked[0]?.headers['x-goog-api-key']).toBe('a-key')
  expect([google.asked.length, local.asked.length]).toEqual([2, 2])
})

test('the error for an unknown provider names it and lists the known ones', async () => {
  const stopped = printed({ MODEL: 'unheard/of' })
  await expect(stopped).rejects.toMatchObject({
    stderr: expect.stringMatching(/MODEL is "unheard\/of": .*anthropic.*ollama/),
  })
})
