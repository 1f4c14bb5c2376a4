import { execFileSync } from 'node:child_process'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { bundleForBrowser, bundleForServer } from './bundles.fixture.ts'

const CLIENT_GZIP_BYTES_MAX = 7_168

const { consumer } = inject('packed')

/** The globals of a page, without those of Node. */
const PAGE_GLOBALS = {
  AbortController,
  AbortSignal,
  DOMException,
  TextDecoder,
  TextEncoder,
  ReadableStream,
  TransformStream,
  atob,
  clearInterval: (timer: number) => clearInterval(timer),
  clearTimeout: (timer: number) => clearTimeout(timer),
  console,
  crypto,
  performance,
  // A page's timers are numbers.
  setInterval: (work: () => void, ms?: number) => Number(setInterval(work, ms)),
  setTimeout: (work: () => void, ms?: number) => Number(setTimeout(work, ms)),
  structuredClone,
}

const program = `
  import { defineAgent, open, scriptedModel } from 'throughline'
  const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
  async function main() {
    const tl = await open({ store: 'memory:', agents: [helper] })
    const { text } = await tl.turn('t', { agent: 'helper', input: 'Hi' }).result
    const { ok } = await tl.log.verify('t')
    const refusal = await open({ store: 'sqlite:page.db', agents: [helper] }).catch(String)
    await tl.close()
    return { text, ok, refusal }
  }
  globalThis.outcome = main()`

test('throughline with memory: is bundled for a browser without Node, and runs there', async () => {
  const { code, builtins } = await bundleForBrowser(consumer, program)
  const page = createContext({ ...PAGE_GLOBALS })
  runInContext(code, page)

  expect(builtins).toEqual([])
  expect(await page['outcome']).toEqual({
    text: 'Hello.',
    ok: true,
    refusal: expect.stringMatching(/^LogError: .*use "memory:"/) as string,
  })
})

test('throughline/client is bundled for a browser without Node, in at most 7 KiB compressed', async () => {
  const { code, builtins } = await bundleForBrowser(
    consumer,
    `import { ClientError, request, subscribe } from 'throughline/client'
    globalThis.client = { ClientError, request, subscribe }`,
  )
  expect(builtins).toEqual([])
  expect(gzipSync(code).length).toBeLessThanOrEqual(CLIENT_GZIP_BYTES_MAX)
})

test('throughline/agui is bundled for a browser or an edge runtime without Node, and runs there', async () => {
  const { code, builtins } = await bundleForBrowser(
    consumer,
    `import { AguiThread } from 'throughline/agui'
    async function main() {
      const at = { threadId: 't', runId: 'r' }
      const events = [{ type: 'RUN_STARTED', ...at }, { type: 'RUN_FINISHED', ...at }]
      const text = events.map((event) => 'data: ' + JSON.stringify(event) + '\\n\\n').join('')
      const headers = { 'content-type': 'text/event-stream' }
      const fetch = async () => new Response(text, { headers })
      const thread = new AguiThread({ url: '/agui/desk', threadId: 't', fetch })
      return (await thread.run({ runId: 'r' })).status
    }
    globalThis.outcome = main()`,
  )
  const page = createContext({ ...PAGE_GLOBALS, Response })
  runInContext(code, page)
  expect(builtins).toEqual([])
  expect(await page['outcome']).toBe('finished')
})

test('a server with SQLite works when it is bundled with the package in it', async () => {
  const file = await bundleForServer(
    consumer,
    `import { defineAgent, open, scriptedModel } from 'throughline'
    import { serve } from 'throughline/server'
    const helper = defineAgent({ name: 'helper', model: scriptedModel(() => 'Hello.') })
    const tl = await open({ store: 'sqlite:' + process.argv[2], agents: [helper] })
    const server = await serve(tl, { port: 0 })
    await tl.turn('t', { agent: 'helper', input: 'Hi' }).result
    const answer = await fetch(server.url + '/api/threads/t/events')
    const { records } = await answer.json()
    console.log(answer.status, records.at(-1).type)
    await server.close()
    await tl.close()`,
  )
  const printed = execFileSync(process.execPath, [file, `${file}.db`], { encoding: 'utf8' })
  expect(printed).toBe('200 RUN_FINISHED\n')
})

test('a bundle that lacks the thread for a slow disk goes on, and warns what to do', async () => {
  const file = await bundleForServer(
    consumer,
    `import { openLog } from 'throughline/log'
    let warn
    const warned = new Promise((resolve) => (warn = resolve))
    const log = await openLog('sqlite:' + process.argv[2], { onWarning: warn })
    // Every commit seems to take 10 ms.
    let now = 0
    performance.now = () => (now += 10)
    const append = () => log.append('t', [{ type: 'counted', data: {} }])
    for (let n = 0; n < 20; n++) {
      await append()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    console.log(await log.head('t'), await warned)
    await log.close()`,
  )
  const printed = execFileSync(process.execPath, [file, `${file}.db`], { encoding: 'utf8' })
  expect(printed).toMatch(/^19 .*must leave out the package throughline, as an external module\n$/)
})
