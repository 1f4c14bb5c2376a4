import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../../test/folders.fixture.ts'
import { programArguments } from '../../test/program.fixture.ts'
import { bareEnvironment } from '../../test/server-process.fixture.ts'
import { begin, framed, loopback, text, within } from '../programs/loopback.fixture.ts'
import { frameOf, pageOf, user } from '../proxy/proxy.fixture.ts'
import { SECRET, throughline } from './throughline.fixture.ts'

/** The command as a person runs it, until it says where it serves. */
async function started(args: readonly string[]) {
  const child = spawn(process.execPath, [...programArguments('throughline'), 'proxy', ...args], {
    env: { ...bareEnvironment(), SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /ready (\S+)/.exec(String(line))?.[1] ?? ''
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }
  return { ...pageOf(url), end }
}

test('a proxy that is killed in mid-answer keeps the text, asks once and goes on', async () => {
  const agent = await loopback(({ input }, index) => {
    if (index > 0) return text('m2', 'Here I am again')
    return {
      write: (response) => {
        begin(response)
        // The text is not ended: the agent still works when the proxy is killed.
        response.write(framed(within(input, text('m1', 'Half an answer')).slice(0, -2)))
      },
    }
  })
  const store = `sqlite:${newFolder()}/proxy.db`
  const args = ['--agent', agent.url, '--store', store, '--port', '0', '--name', 'desk']
  const first = await started(args)
  expect(first.url).toMatch(/\/agui\/desk$/)
  const question = user('Go', 'u1')
  const cut = first.ask('', { messages: [question], runId: 'run-of-the-page' }).catch(() => 'cut')
  const isShown = async () => (await fetch(tabOf(first.url))).text()
  await expect.poll(isShown).toContain('Half an answer')
  await first.end('SIGKILL')
  expect(await cut).toBe('cut')

  const second = await started(args)
  const known = await second.connect()
  expect(frameOf(known.frames, 'MESSAGES_SNAPSHOT')).toMatchObject({
    messages: [question, { id: 'm1', content: 'Half an answer' }],
  })
  // The page repeats its request: the log answers it.
  const again = await second.ask('', { messages: [question], runId: 'run-of-the-page' })
  expect(again.frames.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'interrupted' })
  expect(agent.requests).toHaveLength(1)
  const next = await second.ask('Are you there?')
  expect(frameOf(next.frames, 'TEXT_MESSAGE_CONTENT')).toMatchObject({ delta: 'Here I am again' })
  expect(await second.end('SIGTERM')).toBe(0)
  const { code, stdout } = await throughline(['verify', store])
  expect([code, stdout]).toEqual([0, expect.stringContaining('sound "t"')])
})

/** The records of the thread, as a second tab reads them. */
function tabOf(url: string): URL {
  return new URL('/api/threads/t/events', url)
}

test.each([
  { args: [], said: 'Usage: throughline', why: 'no agent' },
  { args: ['--agent', 'ftp://x'], said: 'no http or https URL (invalid_agent)', why: 'no URL' },
  {
    args: ['--agent', 'http://x', '--header', 'tok-123'],
    said: 'Cannot read --header number 1',
    why: 'no header',
  },
  {
    args: ['--agent', 'http://x', '--port', 'all'],
    said: 'Cannot listen on port "all"',
    why: 'no port',
  },
  {
    args: ['--agent', 'http://x', '--host', '0.0.0.0'],
    said: 'Cannot serve on "0.0.0.0": anybody who reaches it could open each thread',
    why: 'no owner',
  },
  {
    args: ['--agent', 'http://x', '--public-url', 'https://desk.example'],
    said: 'Cannot serve on "desk.example": anybody who reaches it could open each thread',
    why: 'no owner behind a public address',
  },
  {
    args: ['--agent', 'http://x', '--host', '0.0.0.0', '--owner-header', ''],
    said: 'Cannot use --owner-header "": it is no name of a header',
    why: 'no name of a header',
  },
  {
    args: ['--agent', 'http://x'],
    env: { OPERATOR_TOKEN: 'tok-123' },
    said: 'Cannot use OPERATOR_TOKEN: it is too short',
    why: 'a token that can be guessed',
  },
  {
    args: ['--agent', 'http://x', '--state-events', 'missing.ts'],
    said: 'there is no such file',
    why: 'no module',
  },
])('the command says what is wrong and how to mend it: $why', async ({ args, said, env = {} }) => {
  const { code, stdout, stderr } = await throughline(['proxy', '--store', 'memory:', ...args], env)
  expect(`${stdout}${stderr}`).toContain(said)
  expect(`${stdout}${stderr}`).not.toContain('tok-123')
  expect(code).toBe(2)
})
