import { expect, test } from 'vitest'
import {
  AgentStreamParser,
  HELD_MAX,
  JSON_DEPTH_MAX,
  LINE_BLANKS_MAX,
  MarkerParser,
  TAG_ATTRIBUTES_MAX,
  TAG_TYPE_MAX,
  stripEventTags,
} from './index.ts'

/** Each grows to any length; read in time that grows as fast as the length, and no faster. */
const HOSTILE: readonly (readonly [name: string, text: (length: number) => string])[] = [
  ['angle brackets', repeat('<')],
  ['starts of openers', repeat('<agent-even')],
  ['openers', repeat('<agent-event ')],
  ['closing tags', repeat('</agent-event>\n')],
  ['unclosed tags', repeat('<agent-event type="t" data=\'{"a":"')],
  ['unclosed quotes', repeat('<agent-event a="')],
  ['unreadable tags', repeat(`<agent-event type="t" data='{"a":'`)],
  ['a brace that never closes', repeat('{"a":', "<agent-event data='{")],
  ['a string that never closes', repeat('x\\"', '<agent-event data=\'{"')],
  ['a skipped tag that never ends', repeat('<agent-even', "<agent-event data='{'")],
  ['a name that never ends', repeat('n', '<agent-event ')],
  ['lines that are too long', repeat(`<agent-event type="${'t'.repeat(66_000)}\n`)],
  ['deep JSON', repeat(`<agent-event data='${'{"a":'.repeat(999)}1${'}'.repeat(999)}' />\n`)],
  ['blanks', repeat(' ')],
  ['newlines', repeat('\n')],
  ['blanks and tags', repeat(' <agent-event />')],
  ['lone surrogates', repeat('\ud800')],
  ['unclosed markers', repeat('[A] {\n')],
  ['markers in markers', repeat('[A] {"a":\n[1,2,"x",\n')],
  ['backticks', repeat('`')],
  ['tags in code', repeat('`<agent-event type="t" data=\'{"a":1}\' />`')],
  ['unreadable tags in code', repeat('`<agent-event type="t" data=\'{"a":"`')],
  ['strings that take in ends', repeat(`<agent-event data='{"a":"' />`)],
  [
    'strings of all quotes that take in ends',
    repeat(`<agent-event a="' /><agent-event data='{“' />`),
  ],
  ['a tag that may end on every line', repeat(`x }' / >\n`, '<agent-event type="t" {')],
  ['tags that may end on every line', repeat(`<agent-event type="t" {\n}' / >\n`)],
  ['marker heads', repeat('[A]')],
]

function repeat(piece: string, start = ''): (length: number) => string {
  return (length) => start + piece.repeat(Math.ceil(length / piece.length))
}

function readInSevens(text: string): number {
  const tags = new AgentStreamParser()
  const markers = new MarkerParser(['A'])
  let shown = 0
  for (let at = 0; at < text.length; at += 7) {
    const chunk = text.slice(at, at + 7)
    shown += tags.feed(chunk).displayText.length + markers.feed(chunk).displayText.length
  }
  return shown + tags.flush().displayText.length + markers.flush().displayText.length
}

function readWhole(text: string): number {
  const markers = new MarkerParser(['A'])
  return stripEventTags(text).display.length + markers.feed(text).displayText.length
}

/** Milliseconds of this thread's processor time: other work on the machine does not count. */
function elapsed(read: (text: string) => number, text: string): number {
  const start = process.threadCpuUsage()
  read(text)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

/** Four times the text in eight times the time at most: quadratic would be sixteen, and seconds. */
function isLinear(read: (text: string) => number, short: string, long: string): boolean {
  let [shortest, longest] = [Infinity, Infinity]
  for (let round = 0; round < 8; round++) {
    shortest = Math.min(shortest, elapsed(read, short))
    longest = Math.min(longest, elapsed(read, long))
    if (longest < Math.max(8 * shortest, 100)) return true
  }
  return false
}

test.each(HOSTILE)('[P6] reading takes time in proportion to the text: %s', (_, text) => {
  const [short, long] = [text(50_000), text(200_000)]
  expect(isLinear(readWhole, short, long)).toBe(true)
  expect(isLinear(readInSevens, short, long)).toBe(true)
})

test('[P6] 20 KB of nested JSON are dropped, and the text goes on', () => {
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ] as const) {
    const json = `{"x":${open.repeat(5_000)}1${close.repeat(5_000)}}`
    const { display, events, dropped } = stripEventTags(`a ${tag(json)} b`)
    expect([display, events, dropped[0]?.reason]).toEqual(['a  b', [], 'limit'])
  }
})

test('[X2] text of a string never becomes structure, however the JSON is broken', () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  for (const inner of [
    '\\",\t\\"b\\":true,\\"c\\":\\"',
    `\\",\t${deep},\\"`,
    '”,\t“b”:true,“c”:“',
  ]) {
    const { events, dropped } = stripEventTags(tag(`{"a":["${inner}"]}`))
    expect([events, dropped[0]?.reason]).toEqual([[], 'malformed'])
  }
})

test('JSON may be as deep as the bound and no deeper', () => {
  const nested = (depth: number) => tag('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))
  expect(stripEventTags(nested(JSON_DEPTH_MAX)).events).toHaveLength(1)
  expect(stripEventTags(nested(JSON_DEPTH_MAX + 1)).dropped[0]?.reason).toBe('limit')
})

test('a tag may be as long as the bound and no longer', () => {
  const fill = HELD_MAX - tag('{"a":""}').length
  const fits = stripEventTags(tag(`{"a":"${'x'.repeat(fill)}"}`))
  expect(fits.events[0]?.data).toEqual({ a: 'x'.repeat(fill) })
  const text = `a\n${tag(`{"a":"${'x'.repeat(fill + 1)}/>"}`)} b\nc ${tag('{}')}`
  const { display, events, dropped } = stripEventTags(text)
  expect([display, events.length]).toEqual(['a\nc', 1])
  expect(dropped).toMatchObject([
    { reason: 'too_large', offset: 2, length: HELD_MAX + 5, type: 't' },
  ])
  expect(dropped[0]?.raw).toBe(text.slice(2, 2 + HELD_MAX))
})

test.each([1_000, 4_096, HELD_MAX, HELD_MAX + 2])(
  'the bound counts characters, not chunks of %i',
  (size) => {
    const text = `a ${tag(`{"a":"${'x'.repeat(3 * HELD_MAX)}"}`)} b`.padEnd(4 * HELD_MAX) + '\nc'
    const parser = new AgentStreamParser()
    const results = []
    for (let at = 0; at < text.length; at += size)
      results.push(parser.feed(text.slice(at, at + size)))
    results.push(parser.flush())
    const { dropped } = stripEventTags(text)
    expect(results.map((result) => result.displayText).join('')).toBe('a \nc')
    expect(results.flatMap((result) => result.dropped)).toEqual(dropped)
  },
)

test('what could not be read and then was too long keeps its first reason', () => {
  const { dropped } = stripEventTags(tag(`{"a":'${'x'.repeat(HELD_MAX)}`))
  expect(dropped).toMatchObject([{ reason: 'malformed', length: HELD_MAX + 38 }])
})

test('[A035] a text that ends in a tag that is too long shows nothing of it', () => {
  const { display, dropped } = stripEventTags(`a <agent-event type="${'x'.repeat(HELD_MAX)}`)
  expect([display, dropped[0]?.reason]).toEqual(['a', 'too_large'])
})

test('a type may be as long as the bound and no longer', () => {
  const typed = (length: number) => `<agent-event type="${'t'.repeat(length)}" />`
  expect(stripEventTags(typed(TAG_TYPE_MAX)).events).toHaveLength(1)
  const [dropped] = stripEventTags(typed(TAG_TYPE_MAX + 1)).dropped
  expect(dropped).toMatchObject({ reason: 'limit', type: 't'.repeat(TAG_TYPE_MAX) })
})

test('a tag may have as many attributes as the bound and no more', () => {
  const attributes = (count: number) =>
    Array.from({ length: count }, (_, i) => `a${i}=""`).join(' ')
  const most = attributes(TAG_ATTRIBUTES_MAX - 1)
  expect(stripEventTags(`<agent-event type="t" ${most} />`).events).toHaveLength(1)
  const more = attributes(TAG_ATTRIBUTES_MAX)
  expect(stripEventTags(`<agent-event type="t" ${more} />`).dropped[0]?.reason).toBe('limit')
})

test.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])(
  '[X2] the name %s is refused at any depth',
  (name) => {
    for (const json of [`{"${name}":{"x":1}}`, `{"a":[{"b":{"${name}":1}}]}`]) {
      const { events, dropped } = stripEventTags(tag(json))
      expect([events, dropped[0]?.reason]).toEqual([[], 'malformed'])
    }
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  },
)

test.each([
  '{"a":1,"a":1}',
  '{"a":1,"\\u0061":2}',
  '{"x":[{"a":{},"b":":","a":1}]}',
  '{"a" :1,"a":2}',
  '{"a":"x:","a":2}',
  '{"a":":","b":"y\\":z","a" : 2}',
  '{\\"a\\":1,\\"a\\":2}',
  '{“a”:1,"a":2}',
])('[X2] a name given twice is refused: %s', (json) => {
  const { events, dropped } = stripEventTags(tag(json))
  expect([events, dropped[0]?.reason]).toEqual([[], 'malformed'])
})

test('a name given once in each of several objects is accepted', () => {
  const data = { a: { a: 1 }, b: [{ a: ':' }, { a: ':":' }], __proto: 1 }
  expect(stripEventTags(tag(JSON.stringify(data))).events[0]?.data).toEqual(data)
})

test.each([
  { at: '2026-11-22T10:30:00.000Z', url: 'https://example.com/?a=1:2' },
  { a: ':', b: 'x :y', c: '":z', d: ': ', e: { f: '\\":' } },
])('colons in strings are no members: %j', (data) => {
  const text = `${tag(JSON.stringify(data))}${tag(JSON.stringify(data, null, 1).replaceAll('\n', ''))}`
  expect(stripEventTags(text).events.map((event) => event.data)).toEqual([data, data])
})

test('blanks at the start of a line wait for a tag, but not for ever', () => {
  const blanks = (count: number) => `a\n${' '.repeat(count)}`
  const parser = new AgentStreamParser()
  expect(parser.feed(blanks(LINE_BLANKS_MAX)).displayText).toBe('a\n')
  expect(parser.feed(' ').displayText).toBe(' '.repeat(LINE_BLANKS_MAX + 1))
  expect(stripEventTags(`${blanks(LINE_BLANKS_MAX)}${tag('{}')}\nb`).display).toBe('a\nb')
  const over = `${blanks(9)}${tag('{}')}${' '.repeat(LINE_BLANKS_MAX - 8)}\nb`
  expect(stripEventTags(over).display).toBe(`a\n${' '.repeat(LINE_BLANKS_MAX + 1)}\nb`)
  const inPieces = over.split('').map((char) => parser.feed(char).displayText)
  expect(inPieces.join('')).toBe(`a\n${' '.repeat(LINE_BLANKS_MAX + 1)}\nb`)
})

test('a marker may be as long as the bound and no longer', () => {
  const marker = (length: number) => `[A] {"a":"${'x'.repeat(length - '[A] {"a":""}'.length)}"}`
  expect(new MarkerParser(['A']).feed(marker(HELD_MAX)).markers).toHaveLength(1)
  const over = new MarkerParser(['A']).feed(`${marker(HELD_MAX + 1)}\nb`)
  expect(over.displayText).toBe('b')
  expect(over.dropped).toMatchObject([{ reason: 'too_large', length: HELD_MAX + 1, type: 'A' }])
})

function tag(json: string): string {
  return `<agent-event type="t" data='${json}' />`
}
