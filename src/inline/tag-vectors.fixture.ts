import type { InlineEvent } from './index.ts'

/** A text, its shown part, its events, and the reasons and types of the dropped ones. */
export interface Vector {
  readonly name: string
  readonly text: string
  readonly shown?: string
  readonly events?: readonly InlineEvent[]
  readonly dropped?: readonly string[]
}

export const SARAH = `<agent-event type="record_customer_contact" data='{"mobile":"07700 900 123"}' />`
export const LINK = `<agent-event type="generate_customer_link" data='{}' />`
export const WORKED_EXAMPLE = `Got it. Sending Sarah a link now. ${SARAH} ${LINK}`
export const CONTACT = { type: 'record_customer_contact', data: { mobile: '07700 900 123' } }
export const GENERATE = { type: 'generate_customer_link', data: {} }
const UNCHANGED =
  'a <b>, `a < b`, <<<agent-evening, <agent-events />, </agent>, </agent-event-x>, <'
const BLANKS = ' \n\n  \t\r\n a\r\n\u2028<\u{1f600}\ud800 \n  '

export const VECTORS: readonly Vector[] = [
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
  { name: '[P10] a text without a tag is shown unchanged', text: UNCHANGED, shown: UNCHANGED },
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
    name: '[A027] smart quotes around the attributes',
    text:
      `<agent-event type=“t” data=‘{"a":"it’s”"}’ /><agent-event type=‘t’ data=“{“a”:“b”}”/>` +
      `<agent-event type=“t” data=””/>`,
    events: [event({ a: 'it’s”' }), event({ a: 'b' }), event()],
  },
  {
    name: 'JSON with no quotes or half its quotes around it',
    text: `<agent-event type="t" data={"a":1} /><agent-event data='{"a":2} type="t"/>`,
    events: [event({ a: 1 }), event({ a: 2 })],
  },
  {
    name: 'blanks and newlines in a tag, no blank between attributes, attributes of no interest',
    text: `<agent-event\n\ttype =\r't'\r\n data\t=\n' \r\n\t{\n "a" : [ 1, {} ]\n}\r\n\t'\n/><agent-event data='{}'type='t'n="x > {y}"/>`,
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
    name: '[A003] the paired form gives no event and leaves the enclosed text',
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
      '<agent-event type="t" data={}{ />',
      '<agent-event type="t" data={}" />',
      '<agent-event type="t" x />',
    ].join('|'),
    shown: '|||||',
    dropped: Array.from({ length: 6 }, () => 'malformed t'),
  },
  {
    name: 'a string that is not closed ends with its line',
    text: `a\n${tag('{"a":"x}')}\nb ${tag('{"a":"x}')} \nc\n<agent-event type="t\nd /> e`,
    shown: 'a\nb  \nc\nd /> e',
    dropped: ['malformed t', 'malformed t', 'malformed'],
  },
  {
    name: 'a ">" inside what cannot be read is hidden too',
    text: `a ${tag(`{"id":' > b`)} c`,
    shown: 'a  c',
    dropped: ['malformed t'],
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
    shown: '<agent-event <<agent-eventb',
    events: [event()],
    dropped: ['malformed t'],
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
  {
    name: '[A035] so is "<agent" itself',
    text: 'a <agent',
    shown: 'a ',
    dropped: ['truncated'],
  },
  { name: '[A035] an unfinished closing tag is hidden', text: 'a </agent-event', shown: 'a ' },
  { name: '[A035] less than "<agent" is text', text: 'a <agen', shown: 'a <agen' },
]

export function tag(json: string): string {
  return `<agent-event type="t" data='${json}' />`
}

export function event(data: Readonly<Record<string, unknown>> = {}): InlineEvent {
  return { type: 't', data }
}
