import { expect, test } from 'vitest'
import { withAgents } from '../agents/runs.fixture.ts'
import { remoteAgent } from './index.ts'
import type { RemoteAgentParts } from './index.ts'
import { begin, loopback, text } from './loopback.fixture.ts'
import type { Answer, Reply } from './loopback.fixture.ts'

async function asked(answer: Answer, more: Partial<RemoteAgentParts<unknown>> = {}) {
  const server = await loopback(answer)
  const clerk = remoteAgent({ name: 'clerk', url: server.url, ...more })
  const end = await withAgents([clerk]).ask('Go').result
  return { ...server, end, code: end.error?.code }
}

test('a frame that is nested too deep fails the run', async () => {
  const { code } = await asked(() => ({
    write: (response) => {
      begin(response)
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
      response.end(`data: {"type":"STATE_SNAPSHOT","snapshot":${deep}}\n\n`)
    },
  }))
  expect(code).toBe('malformed')
})

const secret = { headers: { 'x-api-key': 'the key' } }

const redirectTo = (location: string, status = 307): Reply => ({
  write: (response) => void response.writeHead(status, { location }).end(),
})

test('a redirect fails the run, and its target gets nothing', async () => {
  const other = await loopback(() => text('m1', 'Mine.'))
  for (const more of [secret, { ...secret, redirects: 'same-origin' as const }]) {
    const { code, end } = await asked(() => redirectTo(other.url), more)
    expect(code).toBe('rejected')
    expect(end.error?.message).toContain('a redirect, which is not followed')
  }
  const own = await asked(() => redirectTo('/elsewhere'), secret)
  expect([own.code, own.requests.length]).toEqual(['rejected', 1])
  expect(other.requests).toEqual([])
})

test('where the operator allows it, a redirect to the same origin is followed a few times', async () => {
  const same = { ...secret, redirects: 'same-origin' as const }
  const once = await asked((_, index) => (index === 0 ? redirectTo('/b') : text('m1', 'Hi.')), same)
  expect(once.end).toMatchObject({ reason: 'success', text: 'Hi.' })
  expect(once.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['the key', 'the key'])
  const endless = await asked(() => redirectTo('/again'), same)
  expect([endless.code, endless.requests.length]).toEqual(['rejected', 4])
  const asGet = await asked(() => redirectTo('/b', 302), same)
  expect([asGet.code, asGet.requests.length]).toEqual(['rejected', 1])
})
