import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import {
  Witness,
  addCheckpointIn,
  newSigningKey,
  noteOf,
  signerOf,
  verifierOf,
} from '../checkpoints/index.ts'
import type { WitnessState } from '../checkpoints/index.ts'
import { CHECKPOINTS } from '../checkpoints/checkpoints.ts'
import { defineAgent, open, scriptedModel } from '../public/index.ts'
import { routes } from './index.ts'

const KEY = newSigningKey('shop.example/log')

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server has a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A witness over HTTP that can be down. */
async function witness(name: string) {
  const setting = { isDown: false }
  let state: WitnessState | undefined
  const own = new Witness({
    signer: signerOf(newSigningKey(name)),
    log: verifierOf(signerOf(KEY).verifier),
    now: Date.now,
    load: () => state,
    save: (next) => (state = next),
  })
  const url = await listening((request, response) => {
    void text(request).then((body) => {
      if (setting.isDown) return response.writeHead(503).end('down\n')
      const found = own.add(addCheckpointIn(body))
      if (found.status === 'signed') return response.end(found.line)
      return response.writeHead(409).end(`${found.size}\n`)
    })
  })
  return { url, setting }
}

async function served(witnesses: readonly string[], options: { checkpointEveryMs?: number } = {}) {
  const agents = [defineAgent({ name: 'desk', model: scriptedModel(() => 'Yes.') })]
  const tl = await open({ store: 'memory:', agents })
  const http = routes(tl, {
    authenticate: () => ({ role: 'operator' }),
    checkpointKey: KEY,
    witnesses,
    ...options,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(async () => {
    http.close()
    await tl.close()
  })
  await tl.turn('t', { agent: 'desk', input: 'Hello' }).result
  const checkpoint = async () => {
    const response = await http.fetch(new Request('http://127.0.0.1/api/checkpoint'))
    return noteOf(await response.text()).signatures.map(({ name }) => name)
  }
  return { tl, checkpoint }
}

test('a witness signs a checkpoint once, however often another one is asked in vain', async () => {
  const [one, other] = await Promise.all([witness('one.example'), witness('other.example')])
  const { tl, checkpoint } = await served([one.url, other.url])
  other.setting.isDown = true
  const first = await checkpoint()
  expect(first).toEqual(['shop.example/log', 'one.example'])
  const head = await tl.log.head(CHECKPOINTS)
  for (let times = 0; times < 20; times++) expect(await checkpoint()).toEqual(first)
  expect(await tl.log.head(CHECKPOINTS)).toBe(head)
  other.setting.isDown = false
  expect(await checkpoint()).toEqual([...first, 'other.example'])
})

test('a witness that does not answer is asked by one interval at a time', async () => {
  let asked = 0
  const url = await listening((request) => {
    request.resume()
    asked++
  })
  await served([url], { checkpointEveryMs: 1 })
  await expect.poll(() => asked).toBe(1)
  await pause(100)
  expect(asked).toBe(1)
})

test('of a witness that sends without an end no more is read than signatures need', async () => {
  let sent = 0
  const url = await listening((request, response) => {
    request.resume()
    const chunk = '— other.example AAAAAAAAAAAA\n'.repeat(1_000)
    const send = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length
    }
    response.on('drain', send)
    send()
  })
  const { checkpoint } = await served([url])
  expect(await checkpoint()).toEqual(['shop.example/log'])
  expect(sent).toBeLessThan(16_000_000)
})

test('a witness that sends another text with its signature does not sign', async () => {
  const url = await listening((request, response) => {
    request.resume()
    response.end('— a.example AAAAAAAAAAAA\n\nforged\n\n— a.example AAAAAAAAAAAA\n')
  })
  const { checkpoint } = await served([url])
  expect(await checkpoint()).toEqual(['shop.example/log'])
})

test('a witness that gives no answer is waited for once in a minute', async () => {
  let asked = 0
  const silent = await listening(() => void asked++)
  const well = await witness('well.example')
  const { tl, checkpoint } = await served([silent, well.url])
  for (let n = 0; n < 3; n++) {
    await tl.turn(`more-${n}`, { agent: 'desk', input: 'Hello' }).result
    expect(await checkpoint()).toEqual(['shop.example/log', 'well.example'])
  }
  expect(asked).toBe(1)
})
