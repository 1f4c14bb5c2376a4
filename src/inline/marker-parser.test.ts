import { expect, test } from 'vitest'
import { MarkerParser } from './index.ts'

interface Vector {
  readonly name: string
  readonly text: string
  readonly shown: string
  readonly markers?: readonly (readonly [name: string, data: Readonly<Record<string, unknown>>])[]
  readonly dropped?: readonly string[]
}

const AGENTS = { agents: [{ name: 'Ada', status: 'alive', gridPosition: 0 }] }

const VECTORS: readonly Vector[] = [
  {
    name: '[D069] a status line is taken out with its newline',
    text: `Hello.\n[AGENT_STATUS] ${JSON.stringify(AGENTS)}\nBye.`,
    shown: 'Hello.\nBye.',
    markers: [['AGENT_STATUS', AGENTS]],
  },
  {
    name: '[D068] a registration is taken out, the text around it is shown',
    text: `She is here.\n[AGENT_REGISTERED] {"name":"Ada","gridPosition":0}\nWelcome her.`,
    shown: 'She is here.\nWelcome her.',
    markers: [['AGENT_REGISTERED', { name: 'Ada', gridPosition: 0 }]],
  },
  {
    name: 'with a colon, without a blank, indented, with CRLF, at the end',
    text: `[ACTION]: {"a":1}\r\n[ACTION]{"a":2}\n  [ACTION] : {"a":3} \n[ACTION] {"a":4}`,
    shown: '',
    markers: [1, 2, 3, 4].map((a) => ['ACTION', { a }] as const),
  },
  {
    name: 'JSON over several lines',
    text: 'a\n[ACTION] {\r\n  "a": [\n    1,\n    true,\n    -1.5e3\n  ],\n\n "b": "{"\n}\nb',
    shown: 'a\nb',
    markers: [['ACTION', { a: [1, true, -1500], b: '{' }]],
  },
  {
    name: 'a marker in a block of code is prose, and one behind it is not',
    text: 'So:\n```\n[ACTION] {"a":1}\n```\n[ACTION] {"a":2}\n~~~\n  [ACTION] {"a":3}',
    shown: 'So:\n```\n[ACTION] {"a":1}\n```\n~~~\n  [ACTION] {"a":3}',
    markers: [['ACTION', { a: 2 }]],
  },
  {
    name: 'apostrophes, escaped quotes and smart quotes',
    text: `[ACTION] {"a":"it's"}\n[ACTION] {\\"a\\":"}"}\n[ACTION] {“a”:“}”}`,
    shown: '',
    markers: [
      ['ACTION', { a: "it's" }],
      ['ACTION', { a: '}' }],
      ['ACTION', { a: '}' }],
    ],
  },
  {
    name: 'two markers on one line, and prose behind a marker',
    text: '[ACTION] {} [ACTION] {}\n[ACTION] {} done\n',
    shown: ' done\n',
    markers: [1, 2, 3].map(() => ['ACTION', {}] as const),
  },
  {
    name: 'other lines are shown unchanged',
    text: '[OTHER] {}\n [ACTIONS] {}\nx [ACTION] {}\n[\n[[ACTION] {}\n\n  \n[action] {}\n[ACTION',
    shown: '[OTHER] {}\n [ACTIONS] {}\nx [ACTION] {}\n[\n[[ACTION] {}\n\n  \n[action] {}\n[ACTION',
  },
  {
    name: '[D070] malformed JSON is dropped with its line, and only that',
    text: 'a\n[ACTION] {"a":}\nb\n[ACTION] {a:1}\nc\n[ACTION] not JSON\nd\n[ACTION]\ne\n[ACTION] ::{}\nf',
    shown: 'a\nb\nc\nd\ne\nf',
    dropped: ['malformed', 'malformed', 'malformed', 'malformed', 'malformed'],
  },
  {
    name: '[D070] JSON that breaks off leaves the next line alone',
    text: `a\n[ACTION] {"a":[\nafter\n[ACTION] {"a":"x\nb\n[ACTION] {"a":1\nthe "team" isn't\n[ACTION] {\n\nc`,
    shown: `a\nafter\nb\nthe "team" isn't\n\nc`,
    dropped: ['malformed', 'malformed', 'malformed', 'malformed'],
  },
  {
    name: '[D070] JSON that breaks off leaves the next marker alone',
    text: '[ACTION] {"a":1\n[ACTION] {"a":\n 2, [ACTION] {}\n[ACTION] {"a":3}\nb',
    shown: ' 2, [ACTION] {}\nb',
    markers: [['ACTION', { a: 3 }]],
    dropped: ['malformed', 'malformed'],
  },
  {
    name: '[D070] a name given twice, a forbidden name, too deep',
    text: `[ACTION] {"a":1,"a":2}\n[ACTION] {"__proto__":1}\n[ACTION] {"a":${'['.repeat(64)}${']'.repeat(64)}}`,
    shown: '',
    dropped: ['malformed', 'malformed', 'limit'],
  },
  {
    name: 'an unfinished marker is hidden',
    text: 'a\n[ACTION] {"a":1,\n',
    shown: 'a\n',
    dropped: ['truncated'],
  },
]

function read(chunks: Iterable<string>) {
  const parser = new MarkerParser(['AGENT_REGISTERED', 'AGENT_STATUS', 'ACTION'])
  const results = [...chunks].map((chunk) => parser.feed(chunk))
  results.push(parser.flush())
  return {
    shown: results.map((result) => result.displayText).join(''),
    markers: results.flatMap((result) => result.markers),
    raw: results.flatMap((result) => result.raw),
    dropped: results.flatMap((result) => result.dropped),
  }
}

test.each(VECTORS)('$name', ({ text, shown, markers = [], dropped = [] }) => {
  const result = read([text])
  expect(result.shown).toBe(shown)
  expect(result.markers).toEqual(markers.map(([name, data]) => ({ name, data })))
  expect(result.dropped.map(({ reason }) => reason)).toEqual(dropped)
})

test.each(VECTORS)('every split in two and in characters: $name', ({ text }) => {
  const whole = read([text])
  expect(read(text.split(''))).toEqual(whole)
  for (let cut = 1; cut < text.length; cut++) {
    expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(whole)
  }
})

test('a drop names its marker, its place and its text', () => {
  const { raw, dropped } = read([
    'ab\n[ACTION]',
    ' {}\n[ACTION] {"a":\n"b",',
    ' [ACTION] {"a":1}\nc',
  ])
  expect(raw).toEqual(['[ACTION] {}'])
  const malformed = { reason: 'malformed', offset: 15, length: 14, raw: '[ACTION] {"a":' }
  expect(dropped).toEqual([{ ...malformed, type: 'ACTION' }])
})

test('offsets hold for markers inside what a failed marker gave back', () => {
  const text = '[1] {"a":\n[1] {"b":\n[1] x\n[1] y'
  const parser = new MarkerParser(['1'])
  const { displayText, dropped } = parser.feed(text)
  expect(displayText).toBe('')
  for (const { offset, length, raw } of dropped)
    expect(text.slice(offset, offset + length)).toBe(raw)
  expect(dropped.map(({ offset }) => offset)).toEqual([0, text.indexOf('[1] x')])
})

test('after a flush the parser reads another text', () => {
  const parser = new MarkerParser(['A'])
  parser.feed('x [A] {}\n ')
  expect(parser.flush().displayText).toBe(' ')
  expect(parser.feed('[A] {}').markers).toEqual([{ name: 'A', data: {} }])
  parser.flush()
  expect(parser.feed('\n[A] x\n')).toMatchObject({ displayText: '\n', dropped: [{ offset: 1 }] })
})
