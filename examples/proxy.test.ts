import { expect, onTestFinished, test } from 'vitest'
import { openProxy } from '../src/proxy/index.ts'
import { PROXY_DEFAULTS, frameOf, pageOf } from '../src/proxy/proxy.fixture.ts'
import { serveAgent } from './proxy/agent.ts'

test('the example’s agent answers behind the proxy, and a second tab has its answer and its state', async () => {
  const agent = await serveAgent({ port: 0, pauseMs: 0 })
  const proxy = await openProxy({ ...PROXY_DEFAULTS, agent: `${agent.url}/agui` })
  onTestFinished(async () => {
    await proxy.close()
    await agent.close()
  })
  const page = pageOf(proxy.url)
  await page.ask('Hello')
  await page.ask('Again')
  const { frames, text } = await page.connect()
  expect(text).toContain('The end.')
  expect(frameOf(frames, 'STATE_SNAPSHOT')).toMatchObject({ snapshot: { answers: 2 } })
})
