import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AgentStreamParser, stripEventTags } from './index.ts'
import type { InlineEvent } from './index.ts'

interface Vector {
  readonly name: string
  readonly text: string
  readonly shown?: string
  readonly events?: readonly InlineEvent[]
  readonly dropped?: readonly string[]
}

const SARAH = `<agent-event type="record_customer_contact" data='{"mobile":"07700 900 123"}' />`
const LINK = `<agent-event type="generate_customer_link" data='{}' />`
const WORKED_EXAMPLE = `Got it. Sending Sarah a link now. ${SARAH} ${LINK}`
const CONTACT = { type: 'record_customer_contact', data: { mobile: '07700 900 123' } }
const GENERATE = { type: 'generate_customer_link', data: {} }
const UNCHANGED =
  'a <b>, `a < b`, <<<agent-evening, <agent-events />, </agent>, </agent-event-x>, <'
const BLANKS = ' \n\n  \t\r\n a\r\n\u2028<\u{1f600}\ud800 \n  '

const VECTORS: readonly Vector[] = [
  {
    name: '[P1] [A002] [A006] prose and two tags',
    text: WORKED_EXAMPLE,
    shown: 'Got it. Sending Sarah a link now.  ',
    events: [CONTACT, GENERATE],
  },
  {
    name: '[P3] [A004] [A023] [A024] apostrophes in values do not truncate the JSON',
    text: tag(`{"name":"John's Solar","x":"O'Brien"}`),
    events: [event({ name: "John's Solar", x: "O'Brien" })],
  },
  {
    name: '[P4] [A026] escaped quotes are flattened',
    text: tag(String.raw`{\"id\":\"service_status\"}`),
    events: [event({ id: 'service_status' })],
  },
  {
    name: '[P5] [A027] smart quotes are folded',
    text: tag('{“id”:“service_status”,“who”:“O’Brien”}'),
    events: [event({ id: 'service_status', who: "O'Brien" })],
  },
  {
    name: '[P6] [A029] JSON that breaks off leaves the text around it',
    text: `before ${tag('{"id":')} after`,
    shown: 'before  after',
    dropped: ['malformed t'],
  },
  {
    name: '[P7] braces and ends of tags in strings are text',
    text: tag('{"a":"}","b":"/>","c":"{<>]"}'),
    events: [event({ a: '}', b: '/>', c: '{<>]' })],
  },
  {
    name: '[P7] in escaped strings too',
    text: tag(String.raw`{\"a\":\"} />\"}`),
    events: [event({ a: '} />' })],
  },
  {
    name: '[P7] in smart strings too, ASCII quotes among them',
    text: tag('{“a”:“} />”,"b“:"}”}'),
    events: [event({ a: '} />', b: '}' })],
  },
  {
    name: '[P9] [A060] a turn of nothing but an event',
    text: tag('{"id":"service_status"}'),
    events: [event({ id: 'service_status' })],
  },
  { name: '[P10] what is no tag is shown unchanged', text: UNCHANGED, shown: UNCHANGED },
  { name: '[P10] blanks and odd characters are shown unchanged', text: BLANKS, shown: BLANKS },
  {
    name: '[A025] [A028] literal JSON comes first and keeps its smart quotes',
    text: tag(String.raw`{"a":"“so” he \"said\", it’s \\"}`),
    events: [event({ a: String.raw`“so” he "said", it’s \ `.trim() })],
  },
  {
    name: '[A028] flattened JSON comes second and keeps its smart quotes',
    text: tag(String.raw`{\"a\":\"“so” he \\"said\\"\"}`),
    events: [event({ a: '“so” he "said"' })],
  },
  {
    name: '[A028] a text that is JSON in none of the dialects',
    text: tag(String.raw`{\"a\":“b”}`) + tag(String.raw`{"a":\"b}\"}`) + tag('{‘a’:1}'),
    events: [event({ a: 'b}' })],
    dropped: ['malformed t', 'malformed t'],
  },
  {
    name: 'double quotes around the attribute, escaped ones inside',
    text: String.raw`<agent-event type='t' data="{\"a\":\"O'B } \"}" />`,
    events: [event({ a: "O'B } " })],
  },
  {
    name: 'double quotes around the attribute, plain ones inside',
    text: `<agent-event type='t' data="{"a":"b"}"/>`,
    events: [event({ a: 'b' })],
  },
  {
    name: 'JSON with no quotes or half its quotes around it',
    text: `<agent-event type="t" data={"a":1} /><agent-event data='{"a":2} type="t"/>`,
    events: [event({ a: 1 }), event({ a: 2 })],
  },
  {
    name: 'blanks and newlines in a tag, no blank between attributes, attributes of no interest',
    text: `<agent-event\n\ttype = 't'\r\n data = ' {\n "a" : [ 1, {} ]\n} '\n/><agent-event data='{}'type='t'n="x > {y}"/>`,
    events: [event({ a: [1, {}] }), event()],
  },
  {
    name: 'no data and empty data are an empty object',
    text: `<agent-event type="t" /><agent-event type="t" data=''/><agent-event data="  " type="t"/>`,
    events: [event(), event(), event()],
  },
  {
    name: 'data that is no object',
    text: ['[1]', '"x"', 'null', '7', 'x /> y'].map(tag).join(''),
    dropped: Array.from({ length: 5 }, () => 'malformed t'),
  },
  {
    name: '[A003] the paired form gives no event and leaves what it encloses',
    text: `a <agent-event type="t" data='{}'>b</agent-event> c </agent-event\n> d`,
    shown: 'a b c  d',
    dropped: ['malformed t'],
  },
  {
    name: '[A005] a line of tags and blanks disappears with its newline',
    text: `a\n${tag('{}')}\nb\r\n  ${tag('{}')}\t${tag('{}')} \r\nc\n\n</agent-event>\n\nd\n  ${tag('[')} `,
    shown: 'a\nb\r\nc\n\n\nd\n',
    events: [event(), event(), event()],
    dropped: ['malformed t'],
  },
  {
    name: '[A005] a tag on a line with prose leaves the prose',
    text: `a ${tag('{}')}\n ${tag('{}')} b\n\n c${tag('{}')} \n`,
    shown: 'a \n  b\n\n c \n',
    events: [event(), event(), event()],
  },
  {
    name: 'tags without a type, with two, with an unquoted one',
    text: `<agent-event /><agent-event type="" /><agent-event type="t" type="u" /><agent-event type=t />`,
    dropped: ['malformed', 'malformed', 'malformed u', 'malformed'],
  },
  {
    name: 'JSON twice, in another attribute, or in none',
    text: `${tag('{}').replace('/>', "data='{}' />")}|<agent-event type="t" x='{}' />|<agent-event type="t" {} />`,
    shown: '||',
    dropped: ['malformed t', 'malformed t', 'malformed t'],
  },
  {
    name: 'something behind the JSON, in the attribute or in the tag',
    text: [
      tag('{"a":1}}'),
      tag('{"a":1} x'),
      `<agent-event type="t" data='{}' / >`,
      '<agent-event type="t" x />',
      '<agent-event type="t" data={}{ />',
      '<agent-event type="t" data={}" />',
    ].join('|'),
    shown: '|||||',
    dropped: Array.from({ length: 6 }, () => 'malformed t'),
  },
  {
    name: 'a string that is not closed ends with its line',
    text: `a\n${tag('{"a":"x}')}\nb\n<agent-event type="t\nc /> d`,
    shown: 'a\nb\n d',
    dropped: ['malformed t', 'malformed'],
  },
  {
    name: 'a string with a newline in it is hidden to the end of its tag',
    text: `a ${tag('{"a":"x\ny < z"}')} b`,
    shown: 'a  b',
    dropped: ['malformed t'],
  },
  {
    name: 'a tag that is not closed gives way to the next one',
    text: `<agent-event type="t" data='{"a":1\n${tag('{}')}<agent-event <<agent-event</agent-event>b`,
    shown: 'b',
    events: [event()],
    dropped: ['malformed t', 'malformed', 'malformed'],
  },
  {
    name: 'a tag inside a string of another tag is text',
    text: tag(String.raw`{"a":"<agent-event type=\"u\" />"}`),
    events: [event({ a: '<agent-event type="u" />' })],
  },
  {
    name: '[A035] an unfinished tag is hidden',
    text: `a <agent-event type="t" data='{"amount":125`,
    shown: 'a ',
    dropped: ['truncated t'],
  },
  {
    name: '[A035] an unfinished opener is hidden from "<agent" on',
    text: 'a <agent-ev',
    shown: 'a ',
    dropped: ['truncated'],
  },
  { name: '[A035] an unfinished closing tag is hidden', text: 'a </agent-event', shown: 'a ' },
  { name: '[A035] less than "<agent" is text', text: 'a <agen', shown: 'a <agen' },
]

function tag(json: string): string {
  return `<agent-event type="t" data='${json}' />`
}

function event(data: Readonly<Record<string, unknown>> = {}): InlineEvent {
  return { type: 't', data }
}

function read(chunks: Iterable<string>) {
  const parser = new AgentStreamParser()
  const results = [...chunks].map((chunk) => parser.feed(chunk))
  results.push(parser.flush())
  return {
    shown: results.map((result) => result.displayText).join(''),
    events: results.flatMap((result) => result.events),
    raw: results.flatMap((result) => result.raw),
    dropped: results.flatMap((result) => result.dropped),
  }
}

test.each(VECTORS)('$name', ({ text, shown = '', events = [], dropped = [] }) => {
  const result = read([text])
  expect(result.shown).toBe(shown)
  expect(result.events).toEqual(events)
  expect(result.dropped.map(({ reason, type }) => [reason, type].join(' ').trim())).toEqual(dropped)
})

test.each(VECTORS)('[A020] [M3] every split in two and in characters: $name', ({ text }) => {
  const whole = read([text])
  expect(read(text.split(''))).toEqual(whole)
  for (let cut = 1; cut < text.length; cut++) {
    expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(whole)
  }
})

test('[P8] every split of the worked example in three gives the same', () => {
  const whole = JSON.stringify(read([WORKED_EXAMPLE]))
  const differing: number[][] = []
  for (let first = 0; first <= WORKED_EXAMPLE.length; first++) {
    for (let second = first; second <= WORKED_EXAMPLE.length; second++) {
      const [a, b] = [WORKED_EXAMPLE.slice(0, first), WORKED_EXAMPLE.slice(first, second)]
      const result = read([a, b, WORKED_EXAMPLE.slice(second)])
      if (JSON.stringify(result) !== whole) differing.push([first, second])
    }
  }
  expect(differing).toEqual([])
})

test('[P1] [A007] [A008] [A009] [A021] [A031] the worked example as a complete text', () => {
  const { display, events, raw, dropped } = stripEventTags(WORKED_EXAMPLE)
  expect(display).toBe('Got it. Sending Sarah a link now.')
  expect(events).toEqual([CONTACT, GENERATE])
  expect(raw).toEqual([SARAH, LINK])
  expect(dropped).toEqual([])
})

test('[P2] [A019] [A033] the event comes with the chunk that brings the end of its tag', () => {
  const parser = new AgentStreamParser()
  const [first, second, third] = [
    parser.feed('Hi Sarah. Got it. <agent-event type="reco'),
    parser.feed(`rd_customer_contact" data='{"mobile":"07700 900 123`),
    parser.feed(`"}' />`),
  ]
  expect(first).toMatchObject({ displayText: 'Hi Sarah. Got it. ', events: [] })
  expect(second).toMatchObject({ displayText: '', events: [] })
  expect(third).toMatchObject({ displayText: '', events: [CONTACT] })
})

test('[A034] text is shown as it arrives, between tags too', () => {
  const parser = new AgentStreamParser()
  const chunks = ['Got', ' it. ', SARAH, ' And ', `more${LINK}`, '!', '\n ', ' Yes']
  const shown = chunks.map((chunk) => parser.feed(chunk).displayText)
  expect(shown).toEqual(['Got', ' it. ', '', ' And ', 'more', '!', '\n', '  Yes'])
})

test('[A022] stripEventTags agrees with one feed and a flush, trimmed', () => {
  for (const { text } of VECTORS) {
    const { shown, ...rest } = read([text])
    expect(stripEventTags(text)).toEqual({ display: shown.trim(), ...rest })
  }
})

test('a drop says where it stood and what it said', () => {
  const parser = new AgentStreamParser()
  parser.feed('Hello. ')
  parser.feed('Well, <agent-event type="t" data=')
  const { dropped } = parser.feed(`'{"id":' /> there`)
  const raw = `<agent-event type="t" data='{"id":' />`
  expect(dropped).toEqual([{ reason: 'malformed', offset: 13, length: 38, raw, type: 't' }])
})

test('after a flush the parser reads another text', () => {
  const parser = new AgentStreamParser()
  parser.feed(`a <agent-event type="t" data='{"a":"`)
  parser.flush()
  const next = parser.feed(`\n${tag('{}')}\nb`)
  expect(next.displayText).toBe('\nb')
  expect(next.events).toEqual([event()])
})

test('[A036] every file of the room stays small', () => {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder).filter((name) => /^(?!.*\.test\.).*\.ts$/.test(name))
  const sizes = files.map((name) => readFileSync(new URL(name, folder), 'utf8').split('\n').length)
  expect(Math.max(...sizes)).toBeLessThan(225)
})
