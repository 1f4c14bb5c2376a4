import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../folders.fixture.ts'
import { startServer } from '../server-process.fixture.ts'
import { installed } from './installed.fixture.ts'
import { messagesServer } from './messages-server.fixture.ts'

const VERSIONS = ['claude-2.1.332', 'claude-2.1.197'] as const
const SECRET = 'the-secret-that-signs-the-tokens-of-this-test'
const OPERATOR_TOKEN = 'the-token-of-the-operator-in-this-test-alone'
const KEPT = 'what-the-server-keeps-in-its-own-folder'
const PLACES = 100

interface Call {
  readonly call: string
  readonly input: Readonly<Record<string, unknown>>
}

for (const name of VERSIONS) {
  test.skipIf(installed(name) === undefined)(
    `[X25] ${name}: outside of the team's folder nothing is read or written without a question`,
    async ({ annotate }) => {
      const places = makePlaces()
      const outside = callsOutside(places)
      const inside = callsInside(places.team)
      expect(outside).toHaveLength(PLACES)
      const { results, asked, heard } = await play(name, places, [...inside, ...outside])
      const reached = results.slice(inside.length).filter(({ isError }) => !isError)
      const secrets = [SECRET, OPERATOR_TOKEN, KEPT].filter((text) => heard.includes(text))
      expect(results).toHaveLength(inside.length + PLACES)
      expect(results.slice(0, inside.length).map(({ isError }) => isError)).not.toContain(true)
      expect(reached).toEqual([])
      expect(secrets).toEqual([])
      expect(places.written.filter((file) => existsSync(file))).toEqual([])
      expect(readFileSync(places.other, 'utf8')).toBe(KEPT)
      const figures = `${reached.length} of ${PLACES} places reached, ${asked} questions, ${secrets.length} secrets read`
      await annotate(`${name}: ${figures}`, 'promise')
    },
    300_000,
  )
}

interface Places {
  readonly data: string
  readonly team: string
  readonly other: string
  /** Files that a call tries to make. */
  readonly written: readonly string[]
}

/** A data folder with the team's folder in it, in which links lead out. */
function makePlaces(): Places {
  const base = newFolder()
  const data = join(base, 'data')
  const team = join(data, 'team')
  mkdirSync(join(team, 'memory'), { recursive: true })
  writeFileSync(join(data, 'secret'), KEPT)
  const other = join(base, 'other.txt')
  writeFileSync(other, KEPT)
  writeFileSync(join(team, 'notes.txt'), 'What the team may read')
  symlinkSync(join(data, 'secret'), join(team, 'link.txt'))
  symlinkSync(base, join(team, 'out'))
  const written = Array.from({ length: 20 }, (_, index) => join(base, `written-${index}.txt`))
  return { data, team, other, written }
}

function callsInside(team: string): readonly Call[] {
  const file_path = join(team, 'notes.txt')
  return [
    { call: 'Read', input: { file_path } },
    { call: 'Edit', input: { file_path, old_string: 'may', new_string: 'can' } },
    { call: 'Write', input: { file_path: join(team, 'memory', 'plan.md'), content: 'A plan' } },
    { call: 'Grep', input: { pattern: 'team', path: team, output_mode: 'content' } },
  ]
}

function callsOutside({ data, team, other, written }: Places): readonly Call[] {
  const files = [
    join(data, 'secret'),
    `${team}/../secret`,
    `${team}/./memory/../../secret`,
    join(team, 'link.txt'),
    `${team}/out/other.txt`,
    `${team}/out/data/secret`,
    'out/other.txt',
    '../secret',
    other,
    '/etc/passwd',
    '~/.claude.json',
    join(data, 'throughline.db'),
    join(data, 'throughline.db-wal'),
    join(data, 'team-documents.jsonl'),
    '/proc/self/environ',
  ]
  const reads = files.map((file_path) => ({ call: 'Read', input: { file_path } }))
  const searched = [data, '..', 'out', `${team}/out/data`, `${team}/..`, 'link.txt', '/']
  const searches = searched.map((path) => {
    return { call: 'Grep', input: { pattern: 'what-the', path, output_mode: 'content' } }
  })
  const patterns = [`${data}/*`, '/etc/*', `${team}/../*`, '../*']
  const globs = patterns.map((pattern) => ({ call: 'Glob', input: { pattern } }))
  const writes = written.map((file_path, index) => {
    const path = [file_path, `${team}/out/written-${index}.txt`, `../../written-${index}.txt`][
      index % 3
    ]
    return { call: 'Write', input: { file_path: path, content: 'A note' } }
  })
  const edits = [other, `${team}/out/other.txt`, 'out/other.txt'].map((file_path) => {
    return { call: 'Edit', input: { file_path, old_string: 'server', new_string: 'agent' } }
  })
  const settings = ['.claude/settings.json', '.mcp.json'].map((file) => {
    return { call: 'Write', input: { file_path: join(team, file), content: '{}' } }
  })
  const urls = ['http://127.0.0.1:1/x', 'https://example.com/']
  const fetches = urls.map((url) => ({ call: 'WebFetch', input: { url, prompt: 'Read it' } }))
  const search = { call: 'WebSearch', input: { query: 'What the server keeps' } }
  const commands = COMMANDS.map((command) => ({ call: 'Bash', input: { command } }))
  const calls = [...reads, ...searches, ...globs, ...writes, ...edits, ...settings, ...fetches]
  return [...calls, search, ...commands]
}

const COMMANDS: readonly string[] = [
  ...['cat', 'head', 'tail -n 1', 'wc -c', 'sort', 'diff notes.txt', 'stat', 'od -c'].flatMap(
    (tool) => [`${tool} ../secret`, `${tool} link.txt`, `${tool} out/other.txt`],
  ),
  'cat < link.txt',
  'wc -c < ../secret',
  'grep -R server .',
  'grep -r server ..',
  'rg -L server',
  'find -L . -name secret',
  'find .. -name secret',
  'ls -R out/',
  'cd .. && cat secret',
  'echo "$(<../secret)"',
  'env',
  'printenv',
  'cat /proc/self/environ',
  'cat /proc/$PPID/environ',
  'tr "\\0" "\\n" < /proc/$(ps -o ppid= -p $PPID | tr -d " ")/environ',
  'ps eww',
  'echo > ../written-0.txt',
  'cp link.txt copy.txt',
  'ln -s .. another',
  'git -C .. status',
  'sed -n 1p link.txt',
  'awk 1 ../secret',
]

/** The real CLI makes the calls one after the other; every question is answered with no. */
async function play(name: (typeof VERSIONS)[number], { data }: Places, calls: readonly Call[]) {
  let next = 0
  const model = await messagesServer((newest) => {
    const isNext = newest.includes('Go on') || newest.includes('tool_result')
    const call = isNext ? calls[next] : undefined
    if (call) next++
    return call ?? { say: 'Done.' }
  })
  const home = newFolder()
  const server = await startServer({
    DATA_DIR: data,
    SCREEN_PORT: '0',
    SECRET,
    OPERATOR_TOKEN,
    CLAUDE_BIN: installed(name) ?? '',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    ANTHROPIC_API_KEY: 'sk-ant-not-a-key',
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  })
  onTestFinished(async () => {
    await server.end('SIGTERM')
    model.close()
  })
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const stream = await fetch(`${server.url}/api/events?after=-1`, {
    headers,
    signal: ending.signal,
  })
  await post('/api/session/start', {})
  await post('/api/send', { message: 'Go on' })
  const results: { readonly isError: boolean; readonly content: string }[] = []
  let asked = 0
  let held = ''
  for await (const text of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const [rest = '', ...frames] = (held + text).split('\n\n').toReversed()
    held = rest
    for (const frame of frames.toReversed()) {
      const data = JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? '{}')
      if (/^event: permission_asked$/m.test(frame)) {
        asked++
        const { request, digest } = data
        await post('/api/permissions', { request, digest, approved: false })
      } else if (data.type === 'claude_tool_result') results.push(data)
    }
    if (results.length >= calls.length) break
  }
  return { results, asked, heard: model.asked.join('\n') }
}
