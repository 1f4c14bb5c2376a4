/** Seeded text as an agent writes it, and all its parts. */
export interface AgentText {
  readonly text: string
  readonly prose: string
  readonly events: readonly { readonly type: string; readonly data: unknown }[]
}

const WORDS =
  'the of your we a to that and in panels roof payment month loan offer address quote battery would take before after each customer installer kilowatt survey please checked against ready sending agreement isn’t'.split(
    ' ',
  )
const STREETS = ["St John's Road", 'Long Lane', "King's Parade", 'Mill Hill']

type Proposal = readonly [type: string, data: unknown]

/** What agents propose; these can be read by anybody. */
const PLAIN: readonly ((random: () => number) => Proposal)[] = [
  (random) => ['record_customer_contact', { mobile: `07700 900 ${100 + pick(random, 900)}` }],
  () => ['generate_customer_link', {}],
  (random) => [
    'record_quote',
    { amount: 5_000 + pick(random, 20_000), months: 120, apr: 7.9, options: ['panels', 'battery'] },
  ],
  (random) => [
    'present_disclosure',
    { id: 'service_status', version: 1 + pick(random, 9), shown: true },
  ],
]

/** With colons in their strings, as times, addresses of pages and prose have them. */
const TIMED: readonly ((random: () => number) => Proposal)[] = [
  (random) => ['book_survey', { at: `2026-11-22T1${pick(random, 10)}:30:00.000Z`, hours: 2 }],
  (random) => ['add_document', { url: `https://example.com/quotes/${pick(random, 9_000)}?v=1:2` }],
  () => ['add_note', { text: 'Two things: panels, and a battery', from: 'installer' }],
]

/** As ordinary, with the apostrophes, quotes and ends of tags of ordinary text. */
const AWKWARD: readonly ((random: () => number) => Proposal)[] = [
  (random) => [
    'record_address',
    { line1: `${1 + pick(random, 99)} ${STREETS[pick(random, 4)]}`, postcode: 'SW1A 1AA' },
  ],
  () => ['add_note', { text: 'She said "it\'s fine", total > 5 kW' }],
  () => ['add_note', { text: 'Opened with <b>, ended with />', tags: { from: "O'Brien" } }],
]

/** `length` characters, of which about `share` are in tags that are easy to read. */
export function agentText(length: number, share: number): AgentText {
  return writeText(length, share, PLAIN)
}

/** The same with colons in the strings of its tags. */
export function timedText(length: number, share: number): AgentText {
  return writeText(length, share, TIMED)
}

/** The same with tags that are as ordinary, but not as easy. */
export function awkwardText(length: number, share: number): AgentText {
  return writeText(length, share, AWKWARD)
}

function writeText(length: number, share: number, proposals: typeof PLAIN): AgentText {
  const random = randomFrom(20_261_121)
  const events: { type: string; data: unknown }[] = []
  let [text, prose, tagged] = ['', '', 0]
  while (text.length < length) {
    const isEvent = share > 0 && tagged <= share * text.length
    const piece = isEvent ? '' : sentence(random)
    if (isEvent) {
      const [type, data] = proposals[pick(random, proposals.length)]?.(random) ?? ['', {}]
      const tag = `<agent-event type="${type}" data='${JSON.stringify(data)}' />`
      events.push({ type, data })
      text += tag
      tagged += tag.length
    }
    text += piece
    prose += piece
  }
  return { text, prose, events }
}

/** Cut as a model's stream arrives: every chunk a string of its own. */
export function chunksOf(text: string, size: number): readonly string[] {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
  // As from the wire: a slice would keep a pointer into the whole text. Strings stay strings.
  return JSON.parse(JSON.stringify(chunks)) as string[]
}

function sentence(random: () => number): string {
  const words = Array.from(
    { length: 5 + pick(random, 14) },
    () => WORDS[pick(random, WORDS.length)],
  )
  const end = ['. ', '. ', '. ', '? ', ': **yes**. ', ' (x < 5 %). ', '.\n', '.\n\n'][
    pick(random, 8)
  ]
  return `${words.join(' ')}${end}`
}

function pick(random: () => number, count: number): number {
  return Math.floor(random() * count)
}

/** Mulberry32: the same numbers on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
