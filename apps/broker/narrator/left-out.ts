import { startOf } from 'throughline/client'
import { extractFacts } from './extraction.ts'
import type { Extraction, Listening } from './extraction.ts'
import { isAsking, plainWords } from './questions.ts'

/** The most that is quoted of one message. */
const QUOTES_MAX = 4
const QUOTE_CHARS_MAX = 120
/** Reading a message again without a clause costs as much as reading it. */
const CLAUSES_MAX = 40

const CLAUSE_END = /[;\n]+|[,.?!](?=\s|$)|,? \b(?:and|but)\b /i
/** Words that carry no fact. */
const CHATTER =
  /^(?:(?:hi|hello|hiya|hey|thanks?|thank you|cheers|ok|okay|yes|yep|no|right|so|er|erm|um|sorry|great|good (?:morning|afternoon|evening)|please|mate|that's (?:it|all)|that is all|all done|done|just|there|you|well|now|and|then|bye|wrong number|(?:we|i)(?:'re|'m| are| am) (?:ready|done|here|on site))\b[\s,.!]*)+$/i
/** Words without which a clause is talk, and holds no fact that could be missed. */
const TELLS =
  /\d|@|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|hundred|thousand|grand|third|half|deposit|down|up ?front|price|costs?|total|e-?mail|mobile|phone|number|name|surname|called|customer|client|panels?|solar|battery|charger|percent|dot com)\b/i

/** The parts of a message that no fact was taken from, word for word. Pure. */
export function leftOut(said: string, heard: Extraction, listening: Listening): readonly string[] {
  const clauses = said.split(CLAUSE_END).map((clause) => clause.trim())
  const telling = clauses.slice(0, CLAUSES_MAX).filter((clause) => mayHoldFact(clause, said))
  if (hasNothing(heard) && heard.unclear.length === 0 && !heard.personal) {
    const isWhole = telling.length > 1 && said.length <= QUOTE_CHARS_MAX && !said.includes('?')
    return isWhole ? [said.trim().replace(/[.!]+$/, '')] : quotes(telling)
  }
  const whole = factsOf(heard)
  return quotes(
    telling.filter((clause) => {
      const alone = extractFacts(clause, listening)
      if (alone.personal || (!hasNothing(alone) && isTaken(alone, heard))) return false
      if (alone.unclear.length > 0) return true
      const rest = extractFacts(said.replace(clause, ' '), listening)
      return factsOf(rest) === whole && rest.unclear.length === heard.unclear.length
    }),
  )
}

/** About the link and who gets it: the next step answers that. */
const ABOUT_LINK =
  /\blink\b|\b(?:re-?)?(?:send|sent|text(?:ed)?|e-?mail(?:ed)?) (?:it|this|that|her|him|them)\b/i

function mayHoldFact(clause: string, said: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(clause) || CHATTER.test(clause) || ABOUT_LINK.test(clause)) return false
  if (isAsking(plainWords(clause)) || said.includes(`${clause}?`)) return false
  return TELLS.test(clause) || clause === said.trim().replace(/[.!]+$/, '')
}

function hasNothing(heard: Extraction): boolean {
  return factsOf(heard) === '{}'
}

function factsOf({ project, retailer, contact }: Extraction): string {
  return JSON.stringify({ ...project, ...retailer, ...contact })
}

/** Returns whether every fact of a clause was taken, from it or from its correction. */
function isTaken({ project, retailer, contact }: Extraction, whole: Extraction): boolean {
  const taken = { ...whole.project, ...whole.retailer, ...whole.contact }
  return Object.keys({ ...project, ...retailer, ...contact }).every((name) => name in taken)
}

function quotes(clauses: readonly string[]): readonly string[] {
  return [...new Set(clauses)]
    .slice(0, QUOTES_MAX)
    .map((clause) => startOf(clause, QUOTE_CHARS_MAX))
}

/** Quotes the parts that were left out, so that the page can offer ways to go on with each. */
export function tellLeftOut(quoted: readonly string[]): readonly string[] {
  return quoted.map((clause) => `I left out “${clause.replaceAll(/[“”"]/g, "'")}”.`)
}
