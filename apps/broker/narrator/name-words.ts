import type { CustomerContact } from '../case/index.ts'

type Name = Pick<CustomerContact, 'firstName' | 'lastName'>

/** Words that follow "customer is" or stand beside a name and are no name themselves. */
const NO_NAME = new Set(
  `a about actually afternoon also and array at based battery both but called calling charger
  customer deposit done double down email ev extra finance for from going happy has have he her
  here hers him his homeowner i in interested is it its job just keen keeping kit later looking
  make me mister mobile money morning mr mrs ms my no none not nothing now number of oh ok okay
  on only other our out over panel panels paying percent phone plus price project putting quote
  ready sending she so solar sorry storage sure system thank thanks that thats the their them
  they this thousand total triple two up using wants was we who will with work yes you your`.split(
    /\s+/,
  ),
)

const WORD = "[a-z][a-z'’-]+"
const NAME = `((?:mr|mrs|ms|miss|dr)\\.? )?(${WORD})(?: (${WORD}))?`
const CUES = [
  `\\b(?:customer|client|homeowner|lady|gentleman)(?:['’]s)?(?: full| first)?(?: name)?(?:['’]s| is|:| called)? ${NAME}`,
  `\\b(?:full |first )?name(?:['’]s| is|:)? ${NAME}`,
  `\\bcalled ${NAME}`,
  `\\b(?:it['’]s|this is|for) ${NAME}`,
].map((cue) => new RegExp(cue, 'gi'))
const POSSESSIVE = /\b([A-Z][a-z-]+)['’]s (?:email|mobile|number|phone)/
const TITLED = new RegExp(`\\b(?:mr|mrs|ms|miss|dr)\\.? (?:(${WORD}) )?(${WORD})`, 'i')
const ALONE = /^\s*([A-Z][a-z'’-]+)(?: ([A-Z][A-Za-z'’-]+))?\s*$/
const CORRECTION = /\b(?:no|sorry|actually|correction|i mean)\b/i

/** Finds the customer's name; `beside` says that an email or a mobile stood with it. */
export function readName(text: string, { beside }: { readonly beside: boolean }): Name {
  const cued = CUES.flatMap((cue, index) =>
    [...text.matchAll(cue)].flatMap((match) => {
      // "For" and "it's" announce too much else to be believed without a capital.
      const name = nameOf(match, { capital: index === CUES.length - 1 })
      return name ? [{ name, at: match.index }] : []
    }),
  ).toSorted((left, right) => left.at - right.at)
  const chosen = CORRECTION.test(text) ? cued.at(-1) : cued[0]
  if (chosen) return chosen.name
  return readTitled(text) ?? readPossessive(text) ?? (beside ? readAlone(text) : undefined) ?? {}
}

/** A bare name, as the answer to a question for it. */
export function readBareName(text: string): Name {
  const words = text
    .trim()
    .replace(/[.,]+$/, '')
    .split(/\s+/)
  if (words.length > 2 || words.some((word) => !isName(word))) return {}
  return named(words[0], words[1])
}

function nameOf(
  match: RegExpExecArray,
  { capital }: { readonly capital: boolean },
): Name | undefined {
  const [, title, first = '', second] = match
  if (!isName(first) || (capital && !isCapital(first))) return undefined
  const last =
    second && isName(second) && isCapital(second) === isCapital(first) ? second : undefined
  return title && !last ? { lastName: capitalised(first) } : named(first, last)
}

function readTitled(text: string): Name | undefined {
  const [, first, last = ''] = TITLED.exec(text) ?? []
  if (!isName(last) || !isCapital(last)) return undefined
  return first && isName(first) ? named(first, last) : { lastName: capitalised(last) }
}

function readPossessive(text: string): Name | undefined {
  const first = POSSESSIVE.exec(text)?.[1]
  return first && isName(first) ? named(first) : undefined
}

function readAlone(text: string): Name | undefined {
  for (const part of text.split(/[,;:.\n]/)) {
    const [, first, last] = ALONE.exec(part) ?? []
    if (first && isName(first) && (!last || isName(last))) return named(first, last)
  }
  return undefined
}

function isName(word: string): boolean {
  return /^[a-z][a-z'’-]*$/i.test(word) && !NO_NAME.has(word.toLowerCase().replace(/['’]/g, ''))
}

function isCapital(word: string): boolean {
  return /^[A-Z]/.test(word)
}

function named(first = '', last?: string): Name {
  const firstName = capitalised(first)
  return last ? { firstName, lastName: capitalised(last) } : { firstName }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
