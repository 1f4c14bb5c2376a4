import { decide, replay } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import { create } from 'mutative'
import { expect, test } from 'vitest'
import {
  account,
  immerAccount,
  mutativeAccount,
  payment,
  paymentOf,
  payments,
} from './account.fixture.ts'
import { agentText, awkwardText, chunksOf, timedText } from './agent-text.fixture.ts'
import { makeThreeChanges, openCase, withOneInserted, withThreeChanges } from './case.fixture.ts'
import { HOSTILE, hostileText } from './hostile-text.fixture.ts'
import {
  readWithHtmlparser2,
  readWithOurs,
  readWithRegExp,
  readWithSaxes,
  readWithAiSdk,
} from './tag-readers.ts'

test.each([0, 0.01, 0.1, 0.3])('a share of %d of an agent text is in tags', (share) => {
  const { text, prose, events } = agentText(100_000, share)
  expect(text.length).toBeGreaterThanOrEqual(100_000)
  expect(Math.abs(1 - prose.length / text.length - share)).toBeLessThan(0.005)
  expect(events.length === 0).toBe(share === 0)
})

test('an agent text is the same every time', () => {
  expect(agentText(10_000, 0.1)).toEqual(agentText(10_000, 0.1))
})

test('[P8] every event of an awkward text comes out of it, and all of its prose', () => {
  const { text, prose, events } = awkwardText(200_000, 0.3)
  const reading = stripEventTags(text)
  expect(reading.events).toEqual(events)
  expect(reading.dropped).toEqual([])
  expect(reading.display).toBe(prose.trim())
})

test('[P2] every event of a text with times comes out of it, also for the peers', () => {
  const { text, events } = timedText(50_000, 0.3)
  expect(stripEventTags(text).events).toEqual(events)
  expect(events.length).toBeGreaterThan(100)
  expect(readWithRegExp([text]).events).toBe(events.length)
})

test('chunks have the size that was asked for and make up the text', () => {
  const { text } = agentText(1_001, 0.1)
  const chunks = chunksOf(text, 4)
  expect(chunks.join('')).toBe(text)
  expect(new Set(chunks.slice(0, -1).map((chunk) => chunk.length))).toEqual(new Set([4]))
})

test('every reader reads the events that are plain enough for it', async () => {
  const plain = `Hello. <agent-event type="t" data='{"a":1}' /> Then <agent-event type="t" data='{}' />.`
  const chunks = chunksOf(plain.repeat(50), 4)
  for (const read of [readWithOurs, readWithHtmlparser2, readWithSaxes, readWithRegExp]) {
    expect(read(chunks)).toEqual({ shown: 'Hello.  Then .'.repeat(50), events: 100 })
  }
  expect(await readWithAiSdk(chunks)).toEqual({ shown: 'Hello.  Then .'.repeat(50), events: 100 })
})

test('what peers read of an agent text is all of it, and of an awkward text is not', async () => {
  const [easy, awkward] = [agentText(50_000, 0.3), awkwardText(50_000, 0.3)]
  for (const read of [readWithHtmlparser2, readWithSaxes, readWithRegExp, readWithAiSdk]) {
    expect((await read(chunksOf(easy.text, 4))).events).toBe(easy.events.length)
    expect((await read(chunksOf(awkward.text, 4))).events).toBeLessThan(awkward.events.length)
  }
})

test('hostile text has the length that was asked for', () => {
  for (const text of HOSTILE) expect(hostileText(text, 1_003)).toHaveLength(1_003)
})

test('a case is about 5 KB, and both ways to change it agree', () => {
  expect(Math.abs(JSON.stringify(openCase).length - 5_000)).toBeLessThan(500)
  expect(create(openCase, makeThreeChanges)).toEqual(withThreeChanges(openCase))
  expect(withThreeChanges(openCase).notes).toBe(openCase.notes)
})

test('one more is one more', () => {
  const [before, after] = withOneInserted(10)
  expect(after.filter((item) => !before.includes(item))).toHaveLength(1)
  expect(after).toHaveLength(11)
})

test('payments pass their schema and their gate, and all domains fold them alike', () => {
  const records = payments(100)
  const folded = replay(account, records)
  expect(folded.payments).toBe(100)
  expect(replay(immerAccount, records)).toEqual(folded)
  expect(replay(mutativeAccount, records)).toEqual(folded)
  const proposal = {
    id: 'a proposal',
    type: 'pay',
    data: payment.parse(paymentOf(1)),
    origin: { source: 'ui', surface: 'customer', depth: 0 },
  } as const
  expect(decide(account, account.initial, { proposal, now: 0 })).toHaveProperty('accepted')
})
