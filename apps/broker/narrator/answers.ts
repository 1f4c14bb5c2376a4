const ANSWERS: readonly (readonly [asked: RegExp, answer: string])[] = [
  [
    /\bsoft (?:credit )?(?:search|check)|\bhard (?:credit )?(?:search|check)|\bcredit (?:score|file|record)\b/,
    'A soft search is one that only you can see on your credit file. A hard search is one that ' +
      'other lenders can see. The notice about the credit search says which is used and when.',
  ],
  [
    /\b(?:should i|recommend|advise|advice|better|best|worth it|good (?:deal|idea|rate)|would you)\b/,
    'I cannot advise you on whether to borrow or what to choose. MoneyHelper gives free and ' +
      'impartial guidance.',
  ],
  [
    /\b(?:sav(?:e|ing|ings)|pay for itself|cheaper bills?|energy bills?)\b/,
    'Any figure for savings is an estimate, and nobody can guarantee it.',
  ],
  [
    /\b(?:are you|you) (?:a |the )?(?:lender|bank|lending)\b|\bwho lends\b|\bare you lending\b/,
    'No, we are a credit broker. A lender decides on the application and lends the money.',
  ],
  [
    /\bwho are you\b|\bare you (?:a )?(?:real|human|person|robot|bot|ai|computer)\b|\bam i talking to\b/,
    'I am an AI assistant of the credit broker. I explain the steps and I decide nothing.',
  ],
  [
    /\b(?:stop|cancel|quit|leave|pull out|withdraw|change my mind|do this later)\b/,
    'You can stop at any time: press Leave for now. You need not give a reason, and I cannot press ' +
      'it for you.',
  ],
  [
    /\bhow long\b|\bhow many (?:steps|questions|minutes)\b/,
    'Most people need a few minutes. You can take longer, and your link brings you back to where ' +
      'you were.',
  ],
  [
    /\b(?:change|amend|correct|edit|update|fix|put right)\b/,
    "Press Change beside an answer, or I'd like to amend under the summary, and give it again. Once " +
      'lenders are asked, answers stay as they are. I cannot change them for you.',
  ],
  [
    /\b(?:my|the) (?:data|details|information)\b|\bprivacy\b|\bwho (?:sees|gets)\b/,
    'Your details are used for this application. What lenders get is set out in the notice about ' +
      'the credit search, and they get it only if you grant that search and confirm the summary. ' +
      'They do not get this chat.',
  ],
  [
    /\b(?:quote|estimate|indicative|guaranteed|binding|final (?:rate|price)|real offer)\b/,
    'The quote is indicative: an estimate and not an offer. A lender may approve it, offer ' +
      'something different or decline.',
  ],
  [
    /\b(?:fee|fees|charge me|commission|cost me|paid by)\b/,
    'You pay us no fee. A lender may pay us commission if you take out a loan. The amount differs ' +
      'between lenders and is not known in this chat. Press Speak to a person to be told.',
  ],
  [
    /\bcomplain|\bcomplaint|\bombudsman\b/,
    'You can complain to us, and after that to the Financial Ombudsman Service, free of charge. ' +
      'The notice about our service says how.',
  ],
  [
    /\b(?:struggl\w+|worried|lost my job|made redundant|bereave\w+|passed away|ill|illness|disab\w+|in debt|cannot afford|can't afford)\b/,
    'Thank you for telling me. The support card is there if you would like us to know, and using it ' +
      'does not affect any decision.',
  ],
]

const UNKNOWN = 'I do not have an answer to that here.'
const BUTTONS_COUNT = 'Only the buttons on the card count, and I cannot press them for you.'
const DECIDING =
  /^(?:yes|no|ok|okay|i (?:agree|consent|confirm|accept|refuse|grant|do|don't)|grant|refuse|accept|agreed|confirmed|go ahead|submit)\b/
const ASKING = /\?|^(?:what|who|why|how|when|where|which|is|are|do|does|can|could|will|would|may)\b/

/** Every answer of the scripted narrator to what a customer types; none when nothing was asked. */
export function answerTo(said: string): string | undefined {
  const text = said.toLowerCase().replaceAll('’', "'")
  const known = ANSWERS.find(([asked]) => asked.test(text))
  if (known) return known[1]
  if (DECIDING.test(text)) return BUTTONS_COUNT
  return ASKING.test(text) ? UNKNOWN : undefined
}
