import { TAG_START_MAX } from './index.ts'
import { event, tag } from './tag-vectors.fixture.ts'
import type { Vector } from './tag-vectors.fixture.ts'

/** Texts that mention the tag without being one. */
const MENTIONS: readonly Vector[] = [
  ...[
    'Use the <agent-event tag to tell me. More prose.',
    'The <agent-event> tag, "so" to say.\n\nIt\'s {fine}.',
    'See <agent-event, <agent-event. And <agent-event=x> or <agent-event\n\nNew paragraph.',
    'Write <agent-event "type" or <agent-event {} /> or <agent-event/path.',
    'It is called <agent-event',
    'It begins with <agent-event type',
    `<agent-event ${'x'.repeat(TAG_START_MAX)}="y" />`,
    'Never </agent-event without more.',
  ].map((text) => ({ name: `a mention is shown: ${text.slice(0, 40)}`, text, shown: text })),
  {
    name: 'a mention hides no tag behind it',
    text: `Like <agent-event <agent-event type ${tag('{}')}.`,
    shown: 'Like <agent-event <agent-event type .',
    events: [event()],
  },
  {
    name: 'an opener that had begun an attribute when the text ended is hidden',
    text: 'a <agent-event type="t',
    shown: 'a ',
    dropped: ['truncated'],
  },
]

/** Tags that have begun well and cannot be read, with prose behind them. */
const UNREADABLE: readonly Vector[] = [
  ...[
    [tag('{"size":"5" pipe"}'), 't'],
    [tag('{"size":"5""}'), 't'],
    [tag('{"size":"5"","a":"b"}'), 't'],
    [tag('{"a":"x}'), 't'],
    [tag('{"html":"<br/>","size":"5" pipe"}'), 't'],
    [tag('{a:1}'), 't'],
    [tag('{"a":"b"}').replace('"t"', '"t'), "t data='{"],
    ['<agent-event type="t />', ''],
    ['<agent-event type="t" and data />', 't'],
    [tag('{\n  "size": "5" pipe",\n  "b": 1\n}'), 't'],
  ].map(([text, type]) => ({
    name: `prose goes on behind ${text}`,
    text: `Noted. ${text} He said "hi" – it's 5" wide.\n\nNext "one" <b>.\n${tag('{}')}`,
    shown: `Noted.  He said "hi" – it's 5" wide.\n\nNext "one" <b>.\n`,
    events: [event()],
    dropped: [`malformed ${type}`.trim()],
  })),
  {
    name: 'a tag without an end ends with its line',
    text: `a <agent-event type="t" data='{"a":"x"\nNext line.\n\nNew "paragraph".`,
    shown: 'a \nNext line.\n\nNew "paragraph".',
    dropped: ['malformed t'],
  },
  {
    name: 'a tag whose end lacks ends with its line, and the next one counts',
    text: `a <agent-event type="t" and so on.\nNext line. ${tag('{"a":1}')} b`,
    shown: 'a \nNext line.  b',
    events: [event({ a: 1 })],
    dropped: ['malformed t'],
  },
  {
    name: 'entities of quotes in data are quotes',
    text: tag(
      '{"name":"O&#39;Neill &quot;Al&QUOT; &#x27;&apos;&rsquo;&#8220; &amp; &#60;","n":["&#039;"]}',
    ),
    events: [event({ name: `O'Neill "Al" ''’“ &amp; &#60;`, n: ["'"] })],
  },
  {
    name: 'an escaped apostrophe is an apostrophe',
    text: [String.raw`{"name":"O\'Neill","path":"C:\\'x"}`, String.raw`{\"a\":\"it\'s\"}`]
      .map(tag)
      .join(''),
    events: [event({ name: "O'Neill", path: "C:\\'x" }), event({ a: "it's" })],
  },
]

/** Tags in Markdown code, which are text. */
const QUOTED: readonly Vector[] = [
  ...[
    `Write \`${tag('{}')}\` for light.`,
    `Write \`\` \`${tag('{}')} \`\` for light.`,
    `\`\`\`\n${tag('{}')}\n\`\`\`\nDone.`,
    `\`\`\`\`xml\n\`\`\`\n${tag('{}')}\n\`\`\`\`\nDone.`,
    `~~~ html \`a\`\n\`\`\`\n~~\n${tag('{}')}\n~~~\nDone.`,
    `1. Do\n\n      \`\`\`\n      ${tag('{}')}\n      \`\`\`\n`,
    `> ~~~\n> ${tag('{}')}\n> ~~~\n`,
    `\`\`\`\n${tag('{}')}\n\`\`\` no end`,
    `\`\`\`${tag('{}')}\`\`\``,
    `a \`${tag('{"a":"`"}')}\` b`,
    `\`\`\`\n${tag('{"a":"\\n```"}')}\n\`\`\`\n`,
  ].map((text) => ({ name: `quoted: ${text}`, text, shown: text, dropped: ['quoted t'] })),
  {
    name: 'a tag in a fence that cannot be read is text to the end of the fence and no further',
    text: `\`\`\`\n<agent-event type="…" data='{"a":"\n\`\`\`\n${tag('{}')}\nb`,
    shown: `\`\`\`\n<agent-event type="…" data='{"a":"\n\`\`\`\nb`,
    events: [event()],
    dropped: ['quoted …'],
  },
  {
    name: 'the paired form and parts of tags in code are text',
    text: '`<agent-event type="t">x</agent-event>`, `</agent-event>`, `<agent-event` and `<agent-ev',
    shown:
      '`<agent-event type="t">x</agent-event>`, `</agent-event>`, `<agent-event` and `<agent-ev',
    dropped: ['quoted t'],
  },
  {
    name: 'a lone backtick hides no tag on a line of its own, and code that ended hides none',
    text: `The \` key, \`\`a.\n${tag('{}')}\n\`b\` ${tag('{}')}\n\`\`\`\nc\n\`\`\`\n${tag('{}')}\n\`\`\`x\`\`\`\n${tag('{}')}\nd`,
    shown: 'The ` key, ``a.\n`b` \n```\nc\n```\n```x```\nd',
    events: [event(), event(), event(), event()],
  },
  {
    name: 'backticks in the data of a tag begin no code',
    text: `${tag('{"a":"`"}')} ${tag('{"a":"```"}')}\n${tag('{}')}`,
    events: [event({ a: '`' }), event({ a: '```' }), event()],
  },
  {
    name: 'marks that are no fence: too short, in a line, closed with other marks',
    text: `~~\n${tag('{}')}\na ~~~\n${tag('{}')}\n\`\`\`\n~~~\n${tag('{}')}\n`,
    shown: `~~\na ~~~\n\`\`\`\n~~~\n${tag('{}')}\n`,
    events: [event(), event()],
    dropped: ['quoted t'],
  },
]

/** Texts in which a tag, or part of one, is text, or has prose behind it. */
export const TEXT_VECTORS: readonly Vector[] = [...MENTIONS, ...UNREADABLE, ...QUOTED]
