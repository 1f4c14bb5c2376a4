import { ASKS_LENDER } from './help-notes.ts'
import { whereToChange } from './changes.ts'
import type { Where } from './gate-answers.ts'
import { ON_PAGE, ASK_PERSON } from './page-names.ts'
import {
  howToStop,
  ifRefused,
  mayBeLeftOut,
  takeYourTime,
  whereIsSupport,
  whoLends,
} from './gate-answers.ts'
import { WHO_SEES } from './who-sees-what.ts'

type Answer = string | ((where: Where, said: string) => string | undefined)

/** A message that has a word of each of these. */
function withAll(...words: readonly string[]): RegExp {
  return new RegExp(`^${words.map((word) => `(?=.*\\b(?:${word})\\b)`).join('')}`)
}

const INSTALLER = 'installers?|retailers?|fitters?|salesm[ae]n|salespeople|sales ?person'
const SEES =
  'sees?|seen|reads?|knows?|known|told|tell|learns?|find out|looks? at|access|shown?|shared?|hears?'
/** "My installer told me" asks nothing. */
export const INSTALLER_SEES = new RegExp(
  `\\b(?:${INSTALLER})\\b(?! (?:told|tells|says|said|knows|showed)\\b).*\\b(?:${SEES})\\b|` +
    `\\b(?:tell|told|show|shown?|shared?|seen by)\\b(?! me\\b).*\\b(?:${INSTALLER})\\b`,
)
const NO = 'declin\\w+|refus\\w+|reject\\w+|turned (?:me )?down|sa(?:y|id) no|no offer|not approved'
const WHY = new RegExp(`\\b(?:why|reasons?|${NO})\\b`)
const CREDIT_SEARCH = '(?:soft|hard|credit) (?:search\\w*|checks?)|credit (?:score|file|record)'

/** The scripted narrator's answers: the first line that matches and returns a text counts. */
export const KNOWN_ANSWERS: readonly (readonly [asked: RegExp, answer: Answer])[] = [
  [
    /\bwho are you\b|\bare you (?:an? )?(?:real|human|person|robot|bot|ai|computer|machine)\b|\bam i (?:talk|speak|chatt|writ)ing\b/,
    'I am an AI assistant of the credit broker. I explain the steps and I decide nothing.',
  ],
  [
    /\bunsure\b|\bnot (?:so |really |quite |at all )?sure\b|\btime to think\b|\bthink (?:about it|it over)\b/,
    takeYourTime,
  ],
  [
    withAll('speak|talk|contact|call|ring|ask|write|message', INSTALLER),
    'This chat does not reach your installer, so please contact them yourself.',
  ],
  [
    /^help\b|\bneed (?:some )?help\b|\b(?:speak|talk|get through) (?:to|with) |\b(?:call|ring|phone|contact|reach) (?:me|us|you|someone|somebody|anyone|anybody|an? person|an? human)\b|\b(?:phone|telephone) number for you\b|\bhelpline\b|\b(?:real|actual|human) (?:person|being)\b/,
    `${ON_PAGE.person}, under Help, shows the number to call and where to write. Your answers stay as they are.`,
  ],
  [
    withAll(INSTALLER, 'commission|fees?|paid|introduc\\w+'),
    `What your installer gets for introducing you, if anything, I do not know. ${ASK_PERSON}`,
  ],
  [INSTALLER_SEES, whatInstallerSees],
  [
    withAll('why', 'health|illness|disab\\w+|support|vulnerab\\w+'),
    'So that we can offer you support. It does not affect any decision, and you may skip the card.',
  ],
  [
    /\bwhy (?:do|does|would) (?:you|they|it|lenders?|the (?:card|page|form)) (?:need|ask|want)\b/,
    'A lender decides by these answers. It gets them only once you have said yes to the credit search and confirmed the summary.',
  ],
  [
    withAll('delete|erase|remove|keep|copy of', 'data|details|information|records?'),
    'You can ask us for a copy of what we hold about you, and to correct or delete it. We must keep some records for a time by law. Speak to a person, under Help, arranges it.',
  ],
  [
    /\bwhat (?:if|happens if|happens when|when)\b.*\b(?:sa(?:ys?|id) no|declin\w+|refuses|turns? me down)\b/,
    'If a lender says no, the next one in the list is asked. If none is left, the application ends without a loan, and you owe nothing.',
  ],
  [
    withAll('lenders?|banks?', 'first|order'),
    'The notice about the credit search names the lenders, in the order in which they are asked.',
  ],
  [withAll('why|reasons?', `${NO}|${SEES}|gives?`), `${WHO_SEES.reasons} ${ASK_PERSON}`],
  [withAll(`who|${SEES}`, 'chat|conversation|messages?|typed?|writ\\w+', SEES), WHO_SEES.chat],
  [withAll('who|lenders?|banks?', SEES, 'support|health|illness|vulnerab\\w+'), WHO_SEES.support],
  [withAll('who', 'sees?|reads?', 'this|it|everything|what i'), WHO_SEES.answers],
  [
    withAll(
      'who|lenders?|banks?|anyone|anybody|you',
      `${SEES}|gets?|shares?|sharing`,
      'incomes?|salary|wages|outgoings|answers?|details|address|date of birth|data|information',
    ),
    WHO_SEES.answers,
  ],
  [
    withAll('withdraw|take back|revoke|change|undo', 'consent|(?:credit )?(?:search|check)'),
    `You withdraw your consent by withdrawing the application, under Help, or by writing to the address in the notice about the credit search. A search that was already made stays on your file.`,
  ],
  [
    /\bcredit (?:score|rating)\b/,
    'We do not see your credit score. Experian, Equifax and TransUnion each show you your own, free. ' +
      'A soft search does not change it. A hard search can lower it for a while.',
  ],
  [
    new RegExp(`\\b(?:${CREDIT_SEARCH})\\b`),
    'A soft search is one that only you can see on your credit file. A hard search is one that ' +
      'other lenders can see. The notice about the credit search says which is used and when.',
  ],
  [
    /\b(?:should i|recommend|advise|advice|better|best|worth it|good (?:deal|idea|rate)|would you (?:choose|do|pick|recommend|take))\b/,
    'I cannot advise you on whether to borrow or what to choose. MoneyHelper gives free and ' +
      'impartial guidance.',
  ],
  [
    /\b(?:will|can|could|would) (?:i|you|they|a lender|lenders) (?:get |be )?(?:approved?|accept(?:ed)?|lend)\b|\bam i (?:approved|accepted|eligible)\b|\bmy chances\b/,
    'A lender decides that once it is asked, and I cannot tell you how it will.',
  ],
  [
    /\bdo i (?:have|need) to\b|\bcan i (?:skip|leave out)\b|\b(?:optional|mandatory|required)\b/,
    mayBeLeftOut,
  ],
  [/\bif i (?:refuse|say no|don't (?:agree|grant))\b/, ifRefused],
  [
    /\bwhat(?:'s| is| happens| do i do| comes)? next\b|\bwhat now\b/,
    'The card on your screen is the next step.',
  ],
  [
    /\bmiss(?:ed|es|ing)?\b.*\bpayments?\b/,
    'The summary that you read before you confirm says what missing a payment can lead to.',
  ],
  [
    withAll(
      'send|sent|get|got|receive|arrived?|come|where|text me|e-?mail me',
      'e-?mail|copy|text|sms',
    ),
    'Whether you would like a copy by email is only recorded: this demonstration sends no mail and no text message.',
  ],
  [
    /\b(?:how much|what) (?:will|would|does|do) (?:it|this|i|the loan|a loan) (?:cost|pay)\b/,
    'You pay us no fee. What a loan would cost is on the card with the quote, for each time to repay: an estimate and not an offer.',
  ],
  [
    /\bsav(?:e|ing|ings)\b(?! my (?:answers|details|progress))|\bbills? (?:really )?(?:go|come) down\b|\b(?:pay for itself|cheaper bills?|energy bills?)\b/,
    'Any figure for savings is an estimate, and nobody can guarantee it.',
  ],
  [ASKS_LENDER, whoLends],
  [
    /\b(?:are you|you) (?:a |the )?(?:lender|bank|lending)\b|\bwho lends\b|\bare you lending\b/,
    'No, we are a credit broker. A lender decides on the application and lends the money.',
  ],
  [
    /\b(?:which|what|who|how many) (?:are |is )?(?:the |your )?(?:lenders?|banks?|panel)\b/,
    'The notice about the credit search names the lenders, in the order in which they are asked.',
  ],
  [
    /\b(?:pay(?:ing)?|repay(?:ing)?|settle|clear)\b.*\b(?:early|sooner|off)\b|\boverpay\w*|\bearly (?:re)?payment\b/,
    'You may repay a loan early, all of it or a part. The lender works out what is then left, and its agreement says how to ask.',
  ],
  [
    /\bcooling[- ]off\b|\b(?:14|fourteen) days\b|\bright to withdraw\b|\b(?:after|once) i(?:'ve| have)? sign(?:ed)?\b/,
    'The summary that you read before you confirm tells you about your right to withdraw once you have signed.',
  ],
  [
    /\b(?:later|tomorrow|tonight|another (?:day|time)|come back|take a break|pause|save my (?:answers|details|progress))\b/,
    `Press ${ON_PAGE.leave}, or close this page: what is recorded is kept, and your link opens it again.`,
  ],
  [
    /\b(?:stop|cancel|quit|pull out|withdraw|change my mind)\b|\b(?:can|may|could|want to|let me) (?:i )?leave\b|\bleave (?:this|it|here|now)\b/,
    howToStop,
  ],
  [
    /\bhow long\b.*\b(?:repay|pay|borrow|loan|term)\b|\b(?:how many|number of) months\b/,
    'You choose on the card with the quote how long you would like to repay over.',
  ],
  [
    /\bhow long\b|\bhow many (?:steps|questions|minutes)\b/,
    'Most people need a few minutes. You can take longer, and your link brings you back to where ' +
      'you were.',
  ],
  [/\w/, ({ gate }, said) => whereToChange(said, gate)],
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
    /\b(?:fees?|charge me|commission|cost me|paid by|make money|pay you|you (?:get )?paid)\b/,
    'You pay us no fee. A lender may pay us commission if you take out a loan. The amount can differ ' +
      `between lenders, and I do not know it: ${ON_PAGE.person}, under Help, shows whom ` +
      'to ask for it, or for how it is worked out.',
  ],
  [
    /\bcomplain|\bcomplaint|\bombudsman\b/,
    'You can complain to us, and after that to the Financial Ombudsman Service, free of charge. ' +
      'The notice about our service says how.',
  ],
  [/\b(?:get|need|want|have|extra|more|any) support\b/, whereToFindSupport],
]

function whereToFindSupport(where: Where): string {
  return (
    whereIsSupport(where) || `${ON_PAGE.person}, under Help, is there if you would like to talk.`
  )
}

function whatInstallerSees({ status }: Where, said: string): string {
  if (!WHY.test(said)) return WHO_SEES.installer
  // No lender was asked, so there is no reason of theirs.
  const reasons = status === 'ineligible' ? '' : ` ${WHO_SEES.reasons}`
  return WHO_SEES.installerNotWhy + reasons
}
