import type { CustomerContact } from '../case/index.ts'

type Name = Pick<CustomerContact, 'firstName' | 'lastName'>

/** Words after "customer is" or next to a name that are no names themselves. */
const NO_NAME = new Set(
  `a about actually after afternoon also and are array as asap asking at available based battery
  both but by called calling car charger client cost customer definitely deposit done double down
  elderly email ev evening extra finance for from going gone good got happy has have he hello her
  here hers hi him his home homeowner house i if in interested is it its job just keen keeping kit
  last later like looking make me mister mobile money month morning mr mrs ms my name new next no
  none not nothing now number of off oh ok okay old on only other our out over panel panels paying
  percent phone please plus price probably project putting quite quote ready really roof sending
  she so solar sorry spelled spelt storage sure surname system thank thanks that thats the their them then there
  they this thousand to today tomorrow total triple two unsure up using value very vulnerable wrong
  january february march july august september october november december monday tuesday wednesday
  thursday friday saturday sunday waiting wants was we week what when who will with work yes you your`.split(
    /\s+/,
  ),
)

const WORD = "\\p{L}[\\p{L}'’-]+"
const PARTICLES = 'van|von|der|den|de|da|dos|del|della|di|du|la|le|ten|ter|bin|al|el|st'
const LAST = `(?:(?:${PARTICLES}) ){0,2}${WORD}`
const TITLE = '(?:mr|mrs|ms|miss|mx|dr)\\b\\.?'
const NAME = `(${TITLE} (?:(?:and|&) ${TITLE} )?)?(${WORD})(?: (${LAST}))?`
const CUSTOMER = '\\b(?:customer|client|homeowner|lady|gentleman)'
const SPELT = '(?: (?:just|only|spelt|spelled))?'
const NAMED = `(?:['’]s(?: called)?| is(?: called)?|:| called)${SPELT}`
const CUES = [
  `${CUSTOMER}(?:(?:['’]s)?(?: full| first)? name${NAMED}?|${NAMED}) ${NAME}`,
  `${CUSTOMER} ${NAME}(?=\\s*(?:[,.;\\d]|$))`,
  `(?<!\\b(?:last|sur|family|company|business|maiden) ?)\\b(?:full |first )?name(?:['’]s| is|:)?${SPELT} ${NAME}`,
  `\\bcalled ${NAME}`,
].map((cue) => new RegExp(cue, 'giu'))
/** These announce too much else to be believed without a capital. */
const WEAK_CUES = [
  `${CUSTOMER} ${NAME}`,
  `\\b(?:(?:it['’]s|it is|this is)(?: for)?|for)${SPELT} ${NAME}`,
].map((cue) => new RegExp(cue, 'giu'))
const BEFORE_SPELLING = `(?:\\b(?:no|not|sorry|actually|correction|i mean|just|only|it['’]s|it is)\\b[,:.]? )*`
const A_LETTER = '(?:without|with(?: no)?|no) (?:an? |the )?(?:[a-z]|aitch)'
/** "Sara without h" corrects a name even without a capital. */
const SPELLING = new RegExp(`${BEFORE_SPELLING}${NAME},? ${A_LETTER}(?=\\s*(?:[,.;]|$))`, 'giu')
const NO_SURNAME =
  /\b(?:no|without an?|without the|(?:drop|remove|forget) (?:the|her|his|their)) (?:surname|last name|family name)\b/i
const SURNAME = new RegExp(`\\b(?:surname|last name|family name)(?:['’]s| is|:)? (${LAST})`, 'iu')
const POSSESSIVE = /\b(\p{Lu}[\p{L}-]+)['’]s (?:e-?mail|mobile|number|phone)/u
const TITLED = new RegExp(`\\b(${TITLE} (?:(?:and|&) ${TITLE} )?)(${WORD})(?: (${LAST}))?`, 'iu')
const ALONE = new RegExp(`^\\s*(${WORD})(?: (${LAST}))?\\s*$`, 'iu')
const CORRECTION = /\b(?:no|sorry|actually|correction|i mean)\b/i

interface Beside {
  /** An email or a mobile stood with it. */
  readonly beside: boolean
  /** The first name that is known: "for Wednesday" does not replace one. */
  readonly known: string
}

/** Finds the customer's name. */
export function readName(text: string, beside: Beside): Name {
  const drops = beside.known !== '' && NO_SURNAME.test(text)
  return { ...(drops && { lastName: '' }), ...readGivenName(text, beside) }
}

function readGivenName(text: string, { beside, known }: Beside): Name {
  const isCorrection = CORRECTION.test(text)
  const weak = known === '' || isCorrection ? WEAK_CUES : []
  const cued = [
    ...CUES.flatMap((cue) => cuedNames(text, cue, { capital: false })),
    ...weak.flatMap((cue) => cuedNames(text, cue, { capital: true })),
    ...(known === '' ? [] : correctedNames(text, known)),
  ].toSorted((left, right) => left.at - right.at)
  const chosen = isCorrection ? cued.at(-1) : cued[0]
  const surname = readSurname(text)
  if (chosen) return { ...chosen.name, ...surname }
  const found = readTitled(text) ?? readPossessive(text) ?? readAlone(text, { beside })
  return { ...found, ...surname }
}

function cuedNames(text: string, cue: RegExp, how: { readonly capital: boolean }) {
  return [...text.matchAll(cue)].flatMap((match) => {
    const name = nameOf(match, how)
    return name ? [{ name, at: match.index }] : []
  })
}

/** "Sara without h", "Sara, not Sarah" and "not Sarah, Sara" correct the name that is known. */
function correctedNames(text: string, known: string) {
  const spelt = cuedNames(text, SPELLING, { capital: false })
  if (!isName(known)) return spelt
  const cues = [
    `${BEFORE_SPELLING}${NAME},? not ${known}\\b`,
    `\\bnot ${known}[,.]? (?:but )?${NAME}`,
  ].map((cue) => new RegExp(cue, 'giu'))
  return [...spelt, ...cues.flatMap((cue) => cuedNames(text, cue, { capital: true }))]
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
  const [, title, first = '', second = ''] = match
  if (!isName(first) || (capital && !isCapital(first) && !isIrish(second))) return undefined
  const last = isLast(second, first) ? second : undefined
  return title && !last ? { lastName: capitalised(first) } : named(first, last)
}

function isLast(last: string, first: string): boolean {
  const [own = ''] = last.split(' ').slice(-1)
  return isName(own) && isCapital(own) === isCapital(first)
}

function readSurname(text: string): Name {
  const last = SURNAME.exec(text)?.[1] ?? ''
  return isName(last.split(' ').at(-1) ?? '') ? { lastName: capitalised(last) } : {}
}

function readTitled(text: string): Name | undefined {
  const match = TITLED.exec(text)
  return match ? nameOf(match, { capital: true }) : undefined
}

function readPossessive(text: string): Name | undefined {
  const first = POSSESSIVE.exec(text)?.[1]
  return first && isName(first) ? named(first) : undefined
}

/** Without anything beside it only a full name is believed, and only with its capitals. */
function readAlone(text: string, { beside }: { readonly beside: boolean }): Name | undefined {
  const parts = text.split(/[,;:.\n]/).filter((part) => part.trim() !== '')
  for (const part of beside || parts.length === 1 ? parts : []) {
    const [, first, last] = ALONE.exec(part) ?? []
    if (!first || !isName(first) || !isCapital(first)) continue
    if (last ? isLast(last, first) : beside) return named(first, last)
  }
  return undefined
}

function isName(word: string): boolean {
  return /^\p{L}[\p{L}'’-]*$/iu.test(word) && !NO_NAME.has(word.toLowerCase().replace(/['’]/g, ''))
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}

/** "O'Brien" and "d'Arcy" are names however they are written. */
function isIrish(word: string): boolean {
  return /^[od]['’]\p{L}/iu.test(word)
}

function named(first = '', last?: string): Name {
  const firstName = capitalised(first)
  return last ? { firstName, lastName: capitalised(last) } : { firstName }
}

/** "sarah" and "SARAH" are Sarah; a particle and a capital inside a name stay as they are. */
function capitalised(words: string): string {
  const text = words.length > 1 && words === words.toUpperCase() ? words.toLowerCase() : words
  const particle = new RegExp(`^(?:${PARTICLES})$`)
  return text
    .split(' ')
    .map((word, at, all) => (at < all.length - 1 && particle.test(word) ? word : raised(word)))
    .join(' ')
}

function raised(word: string): string {
  return word.replaceAll(/(?:^[od]['’]|^|-)\p{L}/giu, (start) => start.toUpperCase())
}
