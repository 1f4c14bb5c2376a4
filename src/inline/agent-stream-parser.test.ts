import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AgentStreamParser, stripEventTags } from './index.ts'
import {
  CONTACT,
  GENERATE,
  LINK,
  SARAH,
  VECTORS as TAG_VECTORS,
  WORKED_EXAMPLE,
  tag,
} from './tag-vectors.fixture.ts'
import { TEXT_VECTORS } from './text-vectors.fixture.ts'

const VECTORS = [...TAG_VECTORS, ...TEXT_VECTORS]

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

test('a drop has its position and its text', () => {
  const parser = new AgentStreamParser()
  parser.feed('Hello. ')
  parser.feed('Well, <agent-event type="t" data=')
  const { dropped } = parser.feed(`'{"id":' /> there`)
  const raw = `<agent-event type="t" data='{"id":' />`
  expect(dropped).toEqual([{ reason: 'malformed', offset: 13, length: 38, raw, type: 't' }])
})

test.each([
  [`a <agent-event type="t" data='{"a":"`, `\n${tag('{}')}\nb`, '\nb', 1],
  ['visible', `${tag('{}')}\nb`, 'b', 1],
  [`  ${tag('{}')}  `, '\nb', '\nb', 0],
  ['a <ag', 'ent-event type="t" />', 'ent-event type="t" />', 0],
])('after a flush the parser reads another text: %j, %j', (...row) => {
  const [before, text, shown, events] = row
  const parser = new AgentStreamParser()
  parser.feed(before)
  parser.flush()
  const next = parser.feed(text)
  expect([next.displayText, next.events.length]).toEqual([shown, events])
  expect(parser.feed(tag('[')).dropped[0]?.offset).toBe(text.length)
})

test('[A036] every module of the room stays in the order of 150 lines of code', () => {
  const folder = new URL('.', import.meta.url)
  const names = readdirSync(folder).filter((name) => /^[a-z-]+\.ts$/.test(name))
  const sizes = names.map((name) => [name, codeLines(new URL(name, folder))] as const)
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes.filter(([, lines]) => lines > 175)).toEqual([])
})

function codeLines(file: URL): number {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
}
