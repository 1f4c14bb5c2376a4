import { afterAll, beforeAll, expect, test } from 'vitest'
import { artifactWritten } from '../../apps/team/reader/artifact.ts'
import { screenCommands } from '../../apps/team/reader/screen.ts'
import { markdownPage } from '../../apps/team/routes/markdown.ts'
import { parseCommands } from '../../apps/team/screen/commands.ts'
import { script } from '../../apps/team/team-script.ts'
import { framePosition } from '../../src/faces/index.ts'
import { AgentStreamParser, MarkerParser, stripEventTags } from '../../src/inline/index.ts'
import { PatchError, applyPatch, parseStrictJson, visibleText } from '../../src/json/index.ts'
import type { Json } from '../../src/json/index.ts'
import { exceedsContext } from '../../src/models/model-error.ts'
import { retryAfterMs } from '../../src/models/retry-after.ts'
import { WrittenThoughts } from '../../src/models/written-thoughts.ts'
import { rpcMessage, sessionUpdate } from '../../src/programs/acp/lines.ts'
import { readLine } from '../../src/programs/claude/lines.ts'
import { programsId } from '../../src/programs/ids.ts'
import { permissionName } from '../../src/programs/permission-name.ts'
import { exportLine } from '../../src/server/routes/export.ts'
import { unbracketed } from '../../src/step/history.ts'
import { neutralise } from '../../src/thread/index.ts'
import { timesInTier } from '../tier.fixture.ts'
import { serveApi } from './served-api.fixture.ts'
import type { ServedApi } from './served-api.fixture.ts'
import { recordAt } from '../memory-log.fixture.ts'

/** A coarse bound: what grows with the square takes ten times as long. */
const DEADLINE_MS = 2_000
const BODY_CHARS = 8_300_000

let api: ServedApi

beforeAll(async () => {
  api = await serveApi()
})

afterAll(() => api.close())

const base = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] }

/** A list of equal parts, as long as a request for a run may be. */
function filled(part: (at: number) => string, between = ','): string {
  const count = Math.floor(BODY_CHARS / (part(1_000_000).length + between.length))
  return Array.from({ length: count }, (_, at) => part(at)).join(between)
}

const around = (inner: string): string => `${JSON.stringify(base).slice(0, -1)},${inner}}`

const BODIES: readonly (readonly [string, () => string])[] = [
  ['members', () => around(filled((at) => `"m${at}":1`))],
  ['members of the state', () => around(`"state":{${filled((at) => `"m${at}":1`)}}`)],
  ['items', () => around(`"state":[${filled(() => '1')}]`)],
  ['empty objects', () => around(`"state":[${filled(() => '{}')}]`)],
  ['nesting', () => around(`"state":${'['.repeat(BODY_CHARS / 2)}${']'.repeat(BODY_CHARS / 2)}`)],
  ['messages without content', () => around(`"messages":[${filled(() => '{}')}]`)],
  ['digits', () => around(`"state":${'1'.repeat(BODY_CHARS)}`)],
  ['zeros', () => around(`"state":0.${'0'.repeat(BODY_CHARS)}`)],
  ['escapes', () => around(`"state":"${String.raw`\u0000`.repeat(BODY_CHARS / 6)}"`)],
]

test.each(BODIES)(
  '[X29] a body of 8 MiB of %s lets other requests be answered',
  async (_, make) => {
    const body = make()
    let isDone = false
    let worstMs = 0
    const sent = fetch(`${api.url}/agui/policy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).finally(() => (isDone = true))
    while (!isDone) {
      const from = performance.now()
      await (await fetch(`${api.url}/api/health`)).arrayBuffer()
      worstMs = Math.max(worstMs, performance.now() - from)
    }
    const answer = await sent
    await answer.body?.cancel()
    expect(answer.status).toBeLessThan(500)
    expect(worstMs).toBeLessThan(DEADLINE_MS)
  },
)

test('[X29] a body is refused by its number of members before they are made', async ({
  annotate,
}) => {
  const text = BODIES.find(([what]) => what === 'members')?.[1]() ?? ''
  const before = process.memoryUsage().heapUsed
  const from = performance.now()
  expect(() => parseStrictJson(text)).toThrow('it has more than 50000 members and items')
  const ms = performance.now() - from
  const grown = Math.max(0, process.memoryUsage().heapUsed - before) / BODY_CHARS
  expect(grown).toBeLessThan(20)
  await annotate(
    `a body of 8 MiB of members held the loop for ${Math.ceil(ms)} ms and took ${grown.toFixed(1)} times its size`,
    'promise',
  )
})

const copyRoot = (at: number): Json => ({ op: 'copy', from: '', path: `/k${at}` })
const insertFirst = (): Json => ({ op: 'add', path: '/0', value: 1 })
const listOf = (count: number, part: (at: number) => Json): readonly Json[] =>
  Array.from({ length: count }, (_, at) => part(at))

test('[X29] patches that copy the root stop at the largest document', async ({ annotate }) => {
  const from = performance.now()
  let state: Json = { text: 'x'.repeat(100) }
  let refused = 0
  for (const operation of listOf(2_000, copyRoot)) {
    try {
      state = applyPatch(state, [operation])
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      refused++
    }
  }
  expect(() => applyPatch({ text: 'x' }, listOf(40, copyRoot))).toThrow(PatchError)
  const ms = performance.now() - from
  expect(refused).toBeGreaterThan(1_900)
  expect(JSON.stringify(state).length).toBeLessThan(8_388_608)
  expect(ms).toBeLessThan(DEADLINE_MS)
  await annotate(`2,040 copies of the root took ${Math.ceil(ms)} ms`, 'promise')
})

test('[X29] a patch moves a bounded number of items, and leads to a bounded depth', () => {
  const from = performance.now()
  expect(() => applyPatch([], listOf(200_000, insertFirst))).toThrow('moves more than')
  const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Json
  expect(() => applyPatch({}, [{ op: 'add', path: '/a', value: deep(100_000) }])).toThrow('levels')
  expect(performance.now() - from).toBeLessThan(DEADLINE_MS)
})

const REPEATED = timesInTier({ quick: 25_000, full: 100_000 })
/** The processor time of the longest input: what grows with the square takes a multiple of it. */
const READ_MAX_MS = timesInTier({ quick: 500, full: DEADLINE_MS })

/** What an expression or a reader of this project begins with, or reads over. */
const OPENINGS: readonly string[] = [
  ' ',
  '\n',
  ' \n',
  '\t',
  'a',
  '1',
  '-',
  '=',
  '/',
  ';',
  ' ;',
  '"',
  "'",
  '\\',
  '\\"',
  '`',
  '```',
  '<',
  '</',
  '<<A\n',
  '<<A',
  "<<'A",
  '<<\n',
  '<event ',
  '<ag',
  '<think>',
  '</think>',
  'retryDelay',
  '"retryDelay" ',
  'prompt is ',
  'token count ',
  '<meta ',
  '<meta',
  '<agent name="a"',
  '&',
  '&#',
  '&a',
  '%41',
  '%',
  '[',
  '[ROUTE TO AGENT: ',
  '**',
  '**a',
  '#',
  '# ',
  '- ',
  '\n- ',
  ' -d ',
  ' -d "',
  " --data '",
  '@a ',
  'FACE ',
  '\nFACE a ',
  'FACE on ',
  ' content="',
  '{',
  '}',
  '} ',
  'AGENT_',
  '[[',
  ']]',
  ':::',
  'localhost:3848/cmd ',
  '1.',
  '\u200b',
  '\u{e0041}',
  'QWdlbnQ=',
]

const lines = (text: string) => ({ file_path: 'memory/a.html', content: text })

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the screen of a shell call': (text) => [
    screenCommands(`curl localhost:3848/cmd -d 'LINE' ${text}`, 3848),
    screenCommands(`curl localhost:3848/cmd ${text}`, 3848),
  ],
  'a drawing that is piped': (text) =>
    screenCommands(`printf ${text} | curl localhost:3848/cmd -d @-`, 3848),
  'a here-document': (text) => screenCommands(`curl localhost:3848/cmd <<EOF\n${text}`, 3848),
  'a quoted drawing': (text) => screenCommands(`curl localhost:3848/cmd -d "${text}"`, 3848),
  'commands of the screen': (text) => parseCommands(text),
  'an artifact': (text) =>
    artifactWritten({ input: lines(text), output: '' }, { folder: '/team', known: new Set() }),
  'Markdown of an artifact': (text) => markdownPage(text),
  'the scripted team': (text) => [...script([text])],
  'text for a model': (text) => neutralise(text),
  'a line that looks like a note': (text) => unbracketed(`${text}[`),
  'tags in a text': (text) => stripEventTags(text),
  'a cell of an export': (text) => exportLine('csv', recordAt(0, { type: 'said', data: { text } })),
  'tags in a stream': (text) => fed(new AgentStreamParser(), text),
  'markers in a stream': (text) => fed(new MarkerParser(['AGENT', 'FACE']), text),
  'thoughts in a stream': (text) => {
    const thoughts = new WrittenThoughts()
    return inChunks(text).map((delta) => thoughts.take({ type: 'text', delta }))
  },
  'a line of Claude Code': (text) => {
    const message = { id: 'm', model: 'm', content: [{ type: 'text', text }] }
    return [readLine(text), readLine(JSON.stringify({ type: 'assistant', message }))]
  },
  'a line of an ACP agent': (text) => {
    const content = { type: 'text', text }
    const update = { sessionUpdate: 'agent_message_chunk', content }
    const params = { sessionId: text, update }
    return sessionUpdate.parse(rpcMessage.parse({ id: text, method: text, params }).params)
  },
  'an id of a program': (text) => [programsId(text), permissionName(text)],
  'text that people agree to': (text) => visibleText(text),
  'a retry delay of a model': (text) =>
    [`"retryDelay"${text}`, text.slice(0, 65_000)].map((responseBody) =>
      retryAfterMs({ responseHeaders: { 'retry-after': text }, responseBody }),
    ),
  'an error of a model': (text) => exceedsContext({ message: text, responseBody: text }),
  'a cursor': (text) => refused(() => framePosition(`0.${text}`, 1)),
  JSON: (text) => refused(() => parseStrictJson(text)),
}

function refused(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

const CHUNK_CHARS = 97

function inChunks(text: string): readonly string[] {
  const count = Math.ceil(text.length / CHUNK_CHARS)
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * CHUNK_CHARS, (at + 1) * CHUNK_CHARS),
  )
}

interface Parser {
  feed(chunk: string): unknown
  flush(): unknown
}

function fed(parser: Parser, text: string): unknown {
  for (const chunk of inChunks(text)) parser.feed(chunk)
  return parser.flush()
}

test.each(Object.entries(READERS))(
  '[X29] %s is read in linear time, whatever opening it repeats',
  (_name, read) => {
    const slow: string[] = []
    for (const opening of OPENINGS) {
      const text = opening.repeat(REPEATED)
      for (const given of [text, `${text}\u0001`]) {
        // Time of this thread: others may have the processor meanwhile.
        const from = process.threadCpuUsage()
        read(given)
        const { user, system } = process.threadCpuUsage(from)
        const ms = (user + system) / 1_000
        if (ms > READ_MAX_MS) slow.push(`${JSON.stringify(opening)}: ${Math.round(ms)} ms`)
      }
    }
    expect(slow).toEqual([])
  },
  120_000,
)
