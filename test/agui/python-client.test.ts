import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { paid, serveAgui } from '../../src/server/agui-server.fixture.ts'
import { through } from '../streams/served-threads.fixture.ts'

const CLIENT = 'examples/python/client.py'
const noPython = spawnSync('python3', ['--version']).status !== 0

/** What the client prints for words and answers to its questions. */
async function conversation(url: string, words: string, answers = ''): Promise<string> {
  const child = spawn('python3', [CLIENT, url, 'clerk', words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(answers)
  child.stdout.setEncoding('utf8')
  let said = ''
  for await (const bytes of child.stdout) said += bytes as string
  return said
}

test.skipIf(noPython)('the client in Python asks, and approves once', async () => {
  const { url } = await serveAgui()
  paid.length = 0
  const said = await conversation(url, 'please pay', 'y\n')
  expect(said).toBe('One moment.\nRun pay({"pounds":5})?\nApprove? [y/n] I have it: Paid 5\n')
  expect(paid).toEqual([5])
})

test.skipIf(noPython)(
  'the client in Python reads a reply whole over connections that are cut',
  async () => {
    const { url } = await serveAgui()
    const words = 'Žluťoučký kůň 🐎 '.repeat(2_000).trim()
    const cutAt = [3_000, 9_000, 20_000, 41_111]
    let connections = 0
    const proxy = await through(url, () => {
      const afterBytes = cutAt[connections++]
      return afterBytes === undefined ? { kind: 'none' } : { kind: 'cut', afterBytes }
    })
    expect(await conversation(proxy.url, words)).toBe(`Heard: ${words}\n`)
    expect(proxy.done.cut).toBe(cutAt.length)
  },
)

test('the client in Python has at most 100 lines', () => {
  expect(readFileSync(CLIENT, 'utf8').split('\n').length - 1).toBeLessThanOrEqual(100)
})
