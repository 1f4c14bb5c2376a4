/** The most parts of one message that are answered. */
export const PARTS_MAX = 8

const WHO = 'who|whose|what|when|where|why|how|which'
const VERB = 'is|are|am|was|were|do|does|did|can|could|will|would|should|may|might|has|have|shall'
const SOMEBODY =
  'i|you|we|they|he|she|it|my|your|our|the|this|that|these|those|there|a|an|any\\w*|some\\w*|lenders?|installers?'
const BEGINS = `(?:${WHO})\\b|(?:${VERB})(?:n't)? (?:${SOMEBODY})\\b`
const ASKING = new RegExp(`\\?|^(?:and |but |so |also |then |please )?(?:${BEGINS})`)
/** Matches the boundary between two questions, with or without punctuation. */
const BETWEEN = new RegExp(
  `(?<=[.?!])\\s+|\\n+|,? (?:and|but|also) (?=${BEGINS})|, (?=(?:${WHO})\\b)`,
)

/** Takes a message apart into what can be answered each by itself. */
export function partsOf(said: string): readonly string[] {
  const parts: string[] = []
  for (const piece of said.split(BETWEEN).map((each) => each.trim())) {
    if (!/\p{L}/u.test(piece)) continue
    // "I was declined. Why?" is one question.
    if (parts.length > 0 && !piece.includes(' ')) parts.push(`${parts.pop()} ${piece}`)
    else parts.push(piece)
  }
  return parts
}

const TELL_ME =
  /\b(?:tell me (?:about|how|what|more)|explain|i(?:'d| would) like to know|i(?:'m| am) (?:wondering|not sure)|i (?:want|need) to (?:know|understand)|wants? to (?:apply|add|move)|(?:told|promised) (?:me|us) (?:it|that|this)|(?:doesn't|does not|won't|will not|can't|cannot) (?:scan|open|load|work)|don't (?:understand|know|get) (?:what|how|why|when|if|the))\b/

export function isAsking(part: string): boolean {
  return ASKING.test(part) || TELL_ME.test(part)
}

/** Normalises a text for the answers' patterns: lower case, plain apostrophes. */
export function plainWords(said: string): string {
  return said.toLowerCase().replaceAll('’', "'")
}
