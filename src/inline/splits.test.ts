import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timesInTier } from '../../test/tier.fixture.ts'
import { AgentStreamParser, MarkerParser } from './index.ts'

const TAG_PIECES = [
  '<agent-event type="t" data=\'{"a":"b"}\' />',
  '<agent-event',
  ' type="t"',
  " type='u'",
  " data='",
  ' data="',
  ' data={',
  '{"a":',
  '{\\"a\\":\\"',
  '{“a”:“',
  '"x"',
  '1',
  '}',
  '\\',
  '\\"',
  '"',
  '“',
  '”',
  "'",
  '/',
  '/>',
  '>',
  '</agent-event>',
  '</agent-ev',
  '<agent-ev',
  '<',
  '\n',
  '\r\n',
  ' ',
  '  \t',
  'prose',
  '\ud83d',
  '\ude00',
]
const MARKER_PIECES = [
  '[A] {"a":[]}\n',
  '[A]',
  '[BC]',
  '[',
  ']',
  '[B',
  ':',
  ' ',
  '\n',
  '\r\n',
  '{',
  '{"a":',
  '"x"',
  '"',
  '}',
  '}\n',
  ',',
  '1',
  'true',
  'tr',
  '\\"',
  '“',
  'prose',
  '\n[A] {"a":\n',
]

interface Reader<Result extends { readonly displayText: string }> {
  feed(chunk: string): Result
  flush(): Result
}

function texts(pieces: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.constantFrom(...pieces)
  return fc.array(piece, { maxLength: 24, size: 'max' }).map((parts) => parts.join(''))
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  const sorted = places.toSorted((a, b) => a - b)
  return sorted.slice(1).map((place, index) => text.slice(sorted[index], place))
}

/** Merges the results of all chunks, or of the whole text. */
function readAll<Result extends { readonly displayText: string }>(
  reader: Reader<Result>,
  chunks: readonly string[],
): string {
  const results = [...chunks.map((chunk) => reader.feed(chunk)), reader.flush()]
  const { displayText, ...lists } = Object.groupBy(
    results.flatMap((result) => Object.entries(result)),
    ([key]) => key,
  )
  const joined = Object.entries(lists).map(([key, values]) => [key, values?.flatMap(([, v]) => v)])
  return JSON.stringify([displayText?.map(([, shown]) => shown).join(''), joined])
}

const CODE_PIECES = [
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '~~',
  '\n',
  '\n\n',
  ' ',
  '> ',
  'prose',
  '"',
  "}' />",
  '<agent-event',
  '<agent-event type="',
  `<agent-event type="t" data='{"a":"`,
  `<agent-event type="t" data='{"a":"\`"}' />`,
  `<agent-event type="t" data='{}' />`,
  '</agent-event>',
]

const cuts = fc.array(fc.nat(2000), { maxLength: 12 })

/** Random texts of each kind. */
const TEXTS = timesInTier({ quick: 2_000, full: 10_000 })

test('[M3] random splits of random text around tags change nothing', () => {
  fc.assert(
    fc.property(texts(TAG_PIECES), cuts, (text, places) => {
      const whole = readAll(new AgentStreamParser(), [text])
      expect(readAll(new AgentStreamParser(), cutAt(text, places))).toBe(whole)
    }),
    { numRuns: TEXTS },
  )
})

test('[M3] random splits of random text around code and tags change nothing', () => {
  let quoted = 0
  fc.assert(
    fc.property(texts(CODE_PIECES), cuts, (text, places) => {
      const whole = readAll(new AgentStreamParser(), [text])
      expect(readAll(new AgentStreamParser(), cutAt(text, places))).toBe(whole)
      expect(readAll(new AgentStreamParser(), text.split(''))).toBe(whole)
      quoted += Number(whole.includes('"quoted"'))
    }),
    { numRuns: TEXTS },
  )
  expect(quoted).toBeGreaterThan(TEXTS / 20)
})

test('[M3] every split of random texts around tags changes nothing', () => {
  for (const text of fc.sample(texts(TAG_PIECES), { numRuns: TEXTS / 50, seed: 14 })) {
    const whole = readAll(new AgentStreamParser(), [text])
    expect(readAll(new AgentStreamParser(), text.split(''))).toBe(whole)
    for (let cut = 1; cut < text.length; cut++) {
      expect(readAll(new AgentStreamParser(), cutAt(text, [cut]))).toBe(whole)
    }
  }
})

test('[M3] a tag as nearly all are written is read as the same one written otherwise', () => {
  const json = fc
    .array(
      fc.constantFrom(
        ...'{}[]":,\\“”‘\'1a >'.split(''),
        '"a":1',
        '"a":',
        '"a" :1,',
        '"b":"c:"',
        '1,',
      ),
      {
        maxLength: 9,
      },
    )
    .map((parts) => `{${parts.join('')}}`)
  const read = (blanks: string, data: string) => {
    const parser = new AgentStreamParser()
    const fed = parser.feed(`<agent-event${blanks}type="t" data='${data}' />.`)
    const shown = fed.displayText + parser.flush().displayText
    return [shown, fed.events, fed.dropped.map(({ reason }) => reason)]
  }
  let events = 0
  fc.assert(
    fc.property(fc.oneof(json, fc.json({ maxDepth: 3 })), (data) => {
      const usual = read(' ', data)
      expect(usual).toEqual(read('  ', data))
      events += Number(usual[1]?.length)
    }),
    { numRuns: TEXTS },
  )
  expect(events).toBeGreaterThan(TEXTS / 20)
})

test('[M3] random splits of random text around markers change nothing', () => {
  fc.assert(
    fc.property(texts(MARKER_PIECES), cuts, (text, places) => {
      const whole = readAll(new MarkerParser(['A', 'BC']), [text])
      expect(readAll(new MarkerParser(['A', 'BC']), cutAt(text, places))).toBe(whole)
      expect(readAll(new MarkerParser(['A', 'BC']), text.split(''))).toBe(whole)
    }),
    { numRuns: TEXTS / 2 },
  )
})

test('[A035] [M3] no opener of a tag with an attribute is ever shown, and every part that was taken out is in the text', () => {
  fc.assert(
    fc.property(texts(TAG_PIECES), (text) => {
      const parser = new AgentStreamParser()
      const results = [...text.split('').map((char) => parser.feed(char)), parser.flush()]
      // Text before and after a removed tag must not form a tag.
      const shown = results.map((result) => result.displayText || '\0').join('')
      expect(shown).not.toMatch(/<agent-event\s+\w+\s*=/)
      for (const raw of results.flatMap((result) => result.raw)) expect(text).toContain(raw)
      for (const { offset, length, raw } of results.flatMap((result) => result.dropped)) {
        expect(text.slice(offset, offset + length)).toBe(raw)
      }
    }),
    { numRuns: timesInTier({ quick: 1_000, full: 3_000 }) },
  )
})

test('[P10] text without an opener is shown unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'<a/>{}"\' \n\\b'.split('')) }),
      cuts,
      (text, places) => {
        const parser = new AgentStreamParser()
        const shown = cutAt(text, places).map((chunk) => parser.feed(chunk).displayText)
        expect(shown.join('') + parser.flush().displayText).toBe(text)
      },
    ),
  )
})

test('text is held back by no more than an opener, whatever follows', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<agent-ev </xy'.split('')) }), (text) => {
      const parser = new AgentStreamParser()
      let shown = parser.feed('.').displayText.length - 1
      for (const [index, char] of text.split('').entries()) {
        shown += parser.feed(char).displayText.length
        expect(index + 1 - shown).toBeLessThanOrEqual('</agent-event'.length - 1)
      }
    }),
  )
})
