interface RetailerReading {
  readonly retailerName?: string
  /** The message without the firm's name and its speaker. */
  readonly rest: string
}

/** In characters. */
const RETAILER_LENGTH_MAX = 80

const LEGAL: Readonly<Record<string, string>> = {
  ltd: 'Ltd',
  limited: 'Limited',
  plc: 'PLC',
  llp: 'LLP',
}
const FORM = '(?:ltd|limited|plc|llp)\\b'
/** With one of these behind it a name is a firm's. */
const OF_A_FIRM =
  /^(?:ltd|limited|plc|llp|company|group|holdings|solar|energ(?:y|ies)|renewables?|power|electric(?:al|s)?|roof(?:s|ing|ers)?|homes?|heating|systems|services|solutions|technologies|install(?:ations?|ers)|sons|brothers|bros|partners|contractors|builders|construction)$/i
/** Words that keep "We're Going Solar" and "we are not a bit ltd" from counting as firms. */
const NO_FIRM = new Set(
  `a actually adding all also at bit both done doing fairly fitting for from getting going having here
  in installing just looking no not now offering on only our proposing putting quite quoting ready
  really selling so some still the to too using very`.split(/\s+/),
)

const CAPITAL = "(?:\\p{Lu}|\\p{N}{1,4}\\p{L})(?:[\\p{L}\\p{N}'’-]|\\.(?=\\p{L})){0,39}"
const RUN = new RegExp(
  `^${CAPITAL}(?: (?:(?:and|of|the|for|in|&) ){0,2}${CAPITAL}){0,7}(?: ${FORM})?`,
  'u',
)
/** Dictation writes no capitals: then only the legal form tells. */
const UNRAISED = new RegExp(`^(?:[\\p{Ll}&][\\p{Ll}'’-]{0,39} ){1,5}(?:ltd|plc|llp)\\b`, 'u')

const SPEAKER = "\\p{L}[\\p{L}'’-]{0,39}"
const FIRM = '\\b(?:company|firm|business)'
/** "Sunny Roofs here" */
const AT_ITS_PLACE = /^|(?<=[,.;!?] )(?=[\p{L}\p{N}])/gu
const PLACE = /^ (?:here|speaking|calling)\b/i
const CUES: readonly (readonly [cue: RegExp, isFirm: 'told by its name' | 'told by the cue'])[] = [
  [
    /\b(?:we(?:['’]re| are)(?: called| from| with)?|i(?:['’]m| am) (?:from|with)) /giu,
    'told by its name',
  ],
  [
    new RegExp(
      `\\b(?:this is|it['’]s|i['’]m|i am|my name(?:['’]s| is)) (?!for\\b)${SPEAKER}(?: ${SPEAKER})?,?(?: (?:here|calling|speaking|ringing))? (?:from|at|with|for) `,
      'giu',
    ),
    'told by its name',
  ],
  [AT_ITS_PLACE, 'told by its name'],
  [/\b(?:(?:calling|speaking|ringing|here) (?:from|for)|on behalf of) /giu, 'told by its name'],
  [new RegExp(`(?<!\\b(?:my|our) )${FIRM}(?:['’]s| is|:) `, 'giu'), 'told by its name'],
  [new RegExp(`\\b(?:my|our) (?:company|firm|business)(?:['’]s| is|:) `, 'giu'), 'told by the cue'],
  [/\bretailer(?:['’]s name)?(?:['’]s| is|:)(?: called)? /giu, 'told by the cue'],
  [
    new RegExp(`${FIRM}(?:['’]s)?(?: name(?:['’]s| is|:)|(?:['’]s| is) called) `, 'giu'),
    'told by the cue',
  ],
]

/** Finds the firm that the installer speaks for. Where two are named, the last counts. */
export function readRetailer(said: string): RetailerReading {
  const found = CUES.flatMap(([cue, isFirm]) =>
    [...said.matchAll(cue)].flatMap(({ index, 0: words }) => {
      const from = index + words.length
      const name = nameAt(said.slice(from), isFirm)
      const until = from + name.length
      if (cue === AT_ITS_PLACE && !PLACE.test(said.slice(until))) return []
      return name === '' ? [] : [{ name, index, until }]
    }),
  ).toSorted((left, right) => left.index - right.index)
  const last = found.at(-1)
  if (!last) return { rest: said }
  const rest = found.reduceRight(
    (text, { index, until }) => `${text.slice(0, index)} , ${text.slice(until)}`,
    said,
  )
  return { retailerName: written(last.name), rest }
}

function nameAt(text: string, isFirm: (typeof CUES)[number][1]): string {
  const run = RUN.exec(text)?.[0] ?? UNRAISED.exec(text)?.[0] ?? ''
  const words = run.split(' ')
  if (words.some((word) => NO_FIRM.has(word) && !/^(?:for|in|the)$/.test(word))) return ''
  if (NO_FIRM.has((words[0] ?? '').toLowerCase())) return ''
  const end = words.findLastIndex((word) => OF_A_FIRM.test(word))
  const whole = isFirm === 'told by the cue' ? run : ''
  const name = end > 0 ? words.slice(0, end + 1).join(' ') : whole
  return name.length > RETAILER_LENGTH_MAX ? '' : name
}

function written(name: string): string {
  const words = name.split(' ').map((word) => LEGAL[word] ?? word)
  const raise = name === name.toLowerCase()
  return words
    .map((word) => (raise ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word))
    .join(' ')
}
