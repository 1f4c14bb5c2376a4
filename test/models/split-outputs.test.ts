import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineDomain } from 'throughline'
import { stripEventTags } from 'throughline/inline'
import type { LogRecord } from 'throughline/log'
import type { Json } from 'throughline'
import { chance } from '../chance.fixture.ts'
import { timesInTier } from '../tier.fixture.ts'
import { answersIn, inPieces, narratorOn, shownIn, turnRoom } from './turn-room.fixture.ts'

/** Each split is a whole turn; in every run the parser alone takes as many as in full. */
const OUTPUTS = timesInTier({ quick: 20, full: 200 })
const RANDOM_SPLITS = timesInTier({ quick: 200, full: 10_000 })
const CUTS_MAX = 8
/** Turns on one log before the next one is begun. */
const TURNS_PER_LOG = 500
const SEED = Number(process.env['SEED'] ?? 3)

const { event, domain } = defineDomain<readonly Json[]>()
const notes = domain({
  name: 'notes',
  initial: [],
  events: {
    noted: event({
      schema: z.json(),
      by: [{ source: 'model' }],
      reduce: (state, data) => [...state, data],
    }),
    sealed: event({ schema: z.json(), by: [{ source: 'ui' }], reduce: (state) => state }),
  },
})

const PIECES = [
  '<agent-event type="noted" data=\'{"a":">"}\' />',
  "<agent-event type='sealed' />",
  '<agent-event type="noted" data={"a":1} />',
  '<agent-event type="noted" data=\'{"\' />',
  '<agent-event',
  '</agent-event>',
  '<agent-ev',
  '<',
  '/>',
  '{"a":"<agent-event"}',
  'prose ',
  'é\u{1F600}',
  '\n',
  '  ',
]

/** A tag with an attribute: a mention of the tag is shown. */
const OPENER = /<agent-event\s+\w+\s*=/

/** The outcome of a turn: the shown text, the proposals and the state. */
class Splitter {
  #room = turnRoom(notes)
  turns = 0
  tagBytes = 0
  /** The text that was shown last. */
  shown = ''

  async outcome(pieces: readonly string[]): Promise<string> {
    if (++this.turns % TURNS_PER_LOG === 0) this.#room = turnRoom(notes)
    const thread = `t${this.turns}`
    const narrator = narratorOn<readonly Json[]>('desk', inPieces(pieces))
    const records = await this.#room.turn(thread, narrator, {})
    this.shown = shownIn(records)
    if (OPENER.test(this.shown)) this.tagBytes++
    const { state } = await this.#room.gate.snapshot(thread)
    return JSON.stringify([this.shown, answersIn(records).map(told), state])
  }
}

function told({ type, data }: LogRecord): unknown {
  return [type, data]
}

test('[M3] every split of an output gives the same text, proposals and state', async ({
  annotate,
}) => {
  const next = chance(SEED)
  const upTo = (end: number): number => Math.floor(next() * end)
  const outputs = Array.from({ length: OUTPUTS }, () =>
    Array.from({ length: 2 + upTo(2) }, () => PIECES[upTo(PIECES.length)]).join(''),
  )
  const splitter = new Splitter()
  const whole = new Map<string, string>()
  let splits = 0
  const check = async (output: string, pieces: readonly string[]): Promise<void> => {
    splits++
    const outcome = await splitter.outcome(pieces)
    if (outcome === whole.get(output)) return
    expect(outcome, `seed ${SEED}: ${JSON.stringify(pieces)}`).toBe(whole.get(output))
  }
  for (const output of outputs) {
    whole.set(output, await splitter.outcome([output]))
    expect(splitter.shown).toBe(stripEventTags(output).display.trim())
    await check(output, output.split(''))
    for (let cut = 1; cut < output.length; cut++) {
      await check(output, [output.slice(0, cut), output.slice(cut)])
    }
  }
  for (let made = 0; made < RANDOM_SPLITS; made++) {
    const output = outputs[upTo(OUTPUTS)] ?? ''
    const cuts = Array.from({ length: upTo(CUTS_MAX) }, () => upTo(output.length + 1))
    const places = [0, ...cuts.toSorted((one, other) => one - other), output.length]
    await check(
      output,
      places.slice(1).map((place, at) => output.slice(places[at], place)),
    )
  }
  expect(splitter.tagBytes).toBe(0)
  await annotate(
    `${splits} splits of ${OUTPUTS} outputs through as many turns: all came to the same, ${splitter.tagBytes} showed a part of a tag`,
    'promise',
  )
}, 300_000)
