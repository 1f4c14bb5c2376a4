/** Matches the boundary between two clauses, with or without punctuation. */
const BREAK =
  /[;\n]|[,.?!](?=\s|$)| [-–—] |\bbut\b|\band (?=(?:s?he|they|who|her|his|their|earns?|works?|lives?|the (?:price|deposit|total|job|project))\b)|\bwho (?=(?:earns?|works?|lives?|gets?)\b)|\b(?=(?:earns|works (?:as|for|at)|lives (?:at|in)|date of birth|postcode)\b)/i

export function clausesOf(said: string): readonly string[] {
  return said.split(BREAK)
}

const STREET = 'road|rd|street|st|avenue|ave|lane|close|drive|crescent|terrace|grove|gardens|mews'
const NO_STREET =
  'a|an|and|by|for|grand|in|k|kw|month|of|on|panels?|per|percent|pounds|quid|the|thousand|to|with'
const PERSONAL = [
  /\b(?:earns?|earning|incomes?|salary|wages?|take[- ]home|gets paid|saved up|brings? in|in the bank|pension(?:er)?s?|universal credit|redundant)\b/i,
  /\b(?:on|gets?|claims?|claiming) benefits\b|\b(?:date of birth|d\.?o\.?b|born|years of age|national insurance)\b|\baged? (?:is )?\d/i,
  /\b(?:she|he|they|customer|client)(?:['’](?:s|re)| is| are) (?:about |only )?[\w-]+(?: \w+)? years old\b/i,
  /\b(?:address(?! is \S+@)|post ?code|lives? (?:at|in))\b/i,
  /\b(?:employed|self[- ]employed|unemployed|employer|retired|full[- ]time|part[- ]time)\b/i,
  /\b(?:works?|working) (?:as|for|at)\b|\b(?:lost|her|his|their|day) job\b/i,
  /\b(?:outgoings|mortgage|rent|debts?|owes?|owing|overdraft|arrears|bankrupt\w*|ccjs?|iva)\b/i,
  /\b(?:bad|poor|good|no) credit\b|\bcredit (?:score|file|rating|history|cards?)\b|\b(?:debit card|bank account|sort code)\b/i,
  new RegExp(
    `\\b\\d+[a-z]? (?!(?:${NO_STREET})\\b)[a-z'’-]+ (?:(?!(?:${NO_STREET})\\b)[a-z'’-]+ )?(?:${STREET})\\b`,
    'i',
  ),
  /\b[a-z]{1,2}\d[a-z\d]? ?\d(?!kw)[a-z]{2}\b/i,
]
const SAVINGS = /\b(?:has|have|had|got|having|with|in|of)\b.*\bsavings\b/i
const DEPOSIT = /\b(?:deposit|down|up ?front)\b/i
const AMOUNT_AT_A_TIME =
  /\b(?:\d|thousand|grand|hundred).* ?(?:\b(?:a|an|per|each|every) (?:year|month|week|annum|hour)\b|\b(?:pa|pcm|p\.m|yearly|annually|monthly|weekly)\b)/i
const HAS_MONEY =
  /\b(?:s?he|they|customer|client)(?: has| have| got|['’](?:s|ve) got| makes?| gets?) .*(?:£ ?\d|\d ?k\b|\b(?:thousand|grand|pounds|quid)\b)/i
/** Words about the system, its returns and the cost of its loan: no personal income. */
const OF_THE_PROJECT =
  /\b(?:quot(?:e|ed)|price|job|system|project|solar|panels?|battery|sav(?:e|es|ing|ings)|bills?|tariff|electric(?:ity)?|energy|gas|exports?|feed[- ]in|generat\w+|us(?:e|es|ing|age)|k ?wh|payments?|repay\w*|instal\w+|payback|drop\w*)\b/i

/** Returns whether a clause holds a personal fact that only the customer may give. */
export function isPersonal(clause: string): boolean {
  if (PERSONAL.some((words) => words.test(clause))) return true
  if (SAVINGS.test(clause) && !DEPOSIT.test(clause) && !/\bsavings o[fn]\b/i.test(clause))
    return true
  if (OF_THE_PROJECT.test(clause)) return false
  return AMOUNT_AT_A_TIME.test(clause) || (HAS_MONEY.test(clause) && !DEPOSIT.test(clause))
}

/** Returns whether a clause is about running costs or returns: its figures are no price. */
export function isRunningCost(clause: string): boolean {
  return AMOUNT_AT_A_TIME.test(clause) || /\bsav(?:e|es|ing)\b/i.test(clause)
}
