import type { SupportArticle } from '../article.ts'

const FREE_HELP =
  'StepChange (0800 138 1111), MoneyHelper and Citizens Advice help free of charge and in confidence.'

/** The most urgent come first: one message may show signs of several. */
export const DIFFICULTY_ARTICLES: readonly SupportArticle[] = [
  {
    id: 'crisis',
    title: 'I cannot cope',
    answer:
      'I am sorry that it is this hard. You do not have to go on with this. Samaritans listen at any hour, free: call 116 123. If you are in danger now, call 999.',
    asked: ['cannot go on', 'suicidal', 'want to die', 'hurt myself', 'in crisis'],
    signs:
      /\bsuicid\w*|\b(?:kill|hurt|harm)(?:ing)? myself\b|\bself[- ]harm|\bend (?:it all|my life)\b|\bwant to die\b|\b(?:can't|cannot|can not) (?:go on|cope)\b|\bno point (?:in )?living\b/,
  },
  {
    id: 'pressure',
    title: 'Somebody is pushing me to sign',
    answer:
      'Nobody may push you into this, and you need not answer today. Close this page or press Save and come back: nothing is sent. Speak to a person, under Help, reaches us without your installer.',
    more: [
      'Take the papers to somebody you trust. A fair offer is still there tomorrow.',
      'If you are afraid of somebody at home, the National Domestic Abuse Helpline is free at any hour: 0808 2000 247.',
    ],
    asked: [
      'the salesman is pressuring me',
      'I feel rushed',
      'they will not leave until I sign',
      'my husband is making me do it',
      'sign today only offer',
    ],
    signs:
      /\bpressur\w*|\bpush(?:ing|y|ed)\b|\bwants? me to (?:sign|agree|say yes|press|hurry)\b|\b(?:standing|sitting|waiting) (?:next to|over|beside|behind) me\b|\brush(?:ing|ed)\b|\bbull(?:y|ied|ying)\b|\b(?:forc(?:ed|ing)|mak(?:ing|es)|threaten\w*) me\b|\b(?:told|tells|telling) me to (?:press|say|sign|put|tick|agree|lie|hurry)|\b(?:won't|wont|will not|refuses to) (?:leave|go)\b|\bdon't want to (?:sign|do this)\b|\bonly today\b|\bscared of (?:him|her|them|my)\b|\bagainst my will\b/,
  },
  {
    id: 'scam',
    title: 'Is this a scam?',
    answer:
      'It is right to check. Stop here, and do not share codes or passwords. Look us up on the FCA’s register at register.fca.org.uk and call the number that you find there. If you have sent money, call your bank on 159.',
    asked: [
      'is this genuine',
      'fraud',
      'suspicious call',
      'somebody used my name',
      'identity theft',
    ],
    signs:
      /\bscam\w*|\bfraud\w*|\bphishing\b|\bcon (?:artist|man|men|trick)\b|\brip[- ]?off\b|\bidentity theft\b|\b(?:did not|didn't|never) (?:asked? for|appl(?:y|ied) for|start(?:ed)?) (?:this|it)\b|\b(?:used|using) my (?:name|details)\b|\bis (?:this|it) (?:genuine|legit|real)\b|\basked (?:me )?for my (?:password|pin|bank login)\b/,
  },
  {
    id: 'bereavement',
    title: 'Somebody close to me has died',
    answer:
      'I am sorry for your loss. There is no hurry with this. Save and come back keeps everything, and Speak to a person, under Help, reaches somebody who can go at your pace.',
    more: [
      'Cruse Bereavement Support listens free on 0808 808 1677.',
      'If the application was for somebody who has died, tell us and we stop it.',
    ],
    asked: [
      'my husband died',
      'bereaved',
      'death in the family',
      'funeral',
      'the customer has died',
    ],
    signs:
      /\bbereave\w*|\bpassed away\b|\b(?:has |just |recently |have )?died\b|\bfuneral\b|\bwidow(?:ed|er)?\b|\b(?:lost|losing) my (?:husband|wife|partner|mum|mother|dad|father|son|daughter|brother|sister|child)\b|\bgrie(?:f|ving)\b/,
  },
  {
    id: 'debt',
    title: 'I have debts, or money is short',
    answer: `Thank you for telling me. You do not have to take on a loan, and you can stop here. ${FREE_HELP}`,
    more: [
      'Breathing Space can pause most interest and enforcement in England and Wales while you get debt advice; Scotland has a scheme of its own. A debt adviser applies for it with you.',
      'If you are not sure that you can afford the payments, that is a good reason to wait.',
    ],
    asked: [
      'in debt',
      'cannot afford it',
      'struggling with money',
      'behind with bills',
      'lost my job',
      'redundant',
      'gambling',
      'bailiffs',
    ],
    signs:
      /\bin debt\b|\b(?:over|about|because of) (?:a|the|some) debts?\b|\b(?:my|have|lots of|got|other|more|too (?:many|much)) debts?\b|\bdebt (?:collect\w+|management|advice)\b|\bstruggl\w*|\b(?:can't|cannot|can not|couldn't|could not|can hardly|unable to) (?:really )?(?:afford|pay|make ends meet)\b|\bbehind (?:with|on)\b|\barrears\b|\bbailiffs?\b|\blost my job\b|\bredundan\w*|\bskint\b|\bgambl\w*|\bmoney (?:is (?:very |really |so )?(?:tight|short)|worries|troubles?|problems?)\b|\bworried about (?:money|paying|the payments|bills)\b|\bpayday loans?\b|\bfood ?bank\b|\bmaxed out\b/,
  },
  {
    id: 'missed-payment',
    title: 'What if I miss a payment?',
    answer:
      'Tell the lender as soon as you can, even before you miss it. It must treat you fairly and look at what you can pay. Missed payments can add cost and stay on your credit file for six years.',
    more: [FREE_HELP],
    asked: [
      'miss a payment',
      'late payment',
      'cannot pay one month',
      'skip a payment',
      'payment holiday',
      'stop paying the loan',
      'what if I lose my job later',
    ],
    signs:
      /\bmiss(?:ed|es|ing)?\b.*\bpayments?\b|\blate (?:payment|paying)\b|\bpayment holiday\b|\bskip a (?:payment|month)\b|\bif i (?:can't|cannot|lose my job|stop paying|don't pay|become ill|fall ill)\b/,
  },
  {
    id: 'disability',
    title: 'I am disabled, ill or need things done differently',
    answer:
      'Thank you for telling me. You can have the texts in large print, have them read out, or do this by phone. Speak to a person, under Help, arranges it. It does not affect any decision.',
    more: [
      'If you are deaf or find it hard to speak, Relay UK puts you through: dial 18001 before our number.',
      'Somebody you trust may sit with you or speak for you.',
      'The card about support is yours to fill in or to leave. Lenders learn how many needs you ticked, and not which.',
    ],
    asked: [
      'disabled',
      'blind or poor eyesight',
      'deaf',
      'dyslexia',
      'large print',
      'braille',
      'mental health',
      'cancer treatment',
      'dementia',
      'in hospital',
    ],
    signs:
      /\bdisab\w*|\bwheelchair\b|\b(?:blind|deaf)\b|\b(?:partially sighted|hard of hearing|sight loss|hearing loss)\b|\b(?:can't|cannot|hard to|struggle to) (?:see|hear|read)\b|\bdyslexi\w*|\bautis\w*|\badhd\b|\blarge print\b|\bbigger (?:text|print|letters)\b|\bbraille\b|\bmental health\b|\bdepress(?:ed|ion)\b|\banxi(?:ety|ous)\b|\bstrok(?:e|es)\b|\bcancer\b|\bdementia\b|\balzheimer\w*|\bin hospital\b|\b(?:seriously|very|long[- ]term|terminally) ill(?:ness)?\b|\b(?:am|i'm|been|being) ill\b|\billness\b|\bbrain injury\b|\blearning difficult\w*/,
  },
  {
    id: 'language',
    title: 'English is not my first language',
    answer:
      'I can only answer in English. You may ask somebody you trust to help you read. Speak to a person, under Help, can arrange an interpreter. There is no hurry.',
    asked: [
      'another language',
      'interpreter',
      'translate this',
      'polish',
      'welsh',
      'my english is not good',
    ],
    signs:
      /\binterpreter\b|\btranslat\w*|\bmy english\b|\bdon't speak (?:good |much )?english\b|\benglish is not my\b|\b(?:speak|in) (?:polish|punjabi|urdu|bengali|gujarati|arabic|welsh|romanian|spanish|french|portuguese|chinese|mandarin|cantonese|turkish|somali|ukrainian|sign language)\b/,
  },
  {
    id: 'life-event',
    title: 'Something big has changed in my life',
    answer:
      'Thank you for telling me. Take the time that you need: Save and come back keeps everything. Speak to a person, under Help, can talk it through. Telling us does not affect any decision.',
    more: [FREE_HELP],
    asked: [
      'divorce',
      'separated',
      'new baby',
      'caring for a parent',
      'moved out',
      'just had a baby',
    ],
    signs:
      /\bdivorc\w*|\bseparat(?:ed|ing) from\b|\bsplit(?:ting)? up\b|\bleft me\b|\b(?:carer|caring) for\b|\bnew baby\b|\bhomeless\b|\bdomestic abuse\b|\bcontrols? (?:all )?(?:my|our) money\b/,
  },
  {
    id: 'distress',
    title: 'This is all too much',
    answer:
      'That is all right: you can stop here. Nothing is sent, and Save and come back keeps your answers. Speak to a person, under Help, goes through it with you, one step at a time.',
    asked: ['overwhelmed', 'panicking', 'stressed', 'upset', 'too much for me'],
    signs:
      /\boverwhelm\w*|\bpanick\w*|\bstress(?:ed|ful|ing)?\b|\btoo much for me\b|\bcrying\b|\bin tears\b|\bscared\b|\bfrighten\w*|\bafraid\b|\bterrified\b|\bupset\b|\bdistress\w*|\bdesperate\b|\bi(?:'m| am) (?:so |really |very )?(?:worried|lost|confused)\b/,
  },
  {
    id: 'not-understood',
    title: 'I do not understand this',
    answer:
      'That is fine, and you need not go on until you do. Ask me about one word or one step at a time. Speak to a person, under Help, explains it by phone, and you may have somebody you trust beside you.',
    asked: [
      'confusing',
      'too complicated',
      'explain it simply',
      'I am lost',
      'what does this mean',
    ],
    signs:
      /\b(?:don't|dont|do not|didn't|can't|cannot) (?:really )?(?:understand|get (?:it|this|any)|follow|make sense)|\bconfus\w*|\bmakes? no sense\b|\btoo (?:complicated|difficult|hard)\b|\bwhat (?:is|does) (?:all )?this (?:all )?(?:mean|about)\b|\bno idea what\b/,
  },
  {
    id: 'upset-with-us',
    title: 'I am angry with this service',
    answer:
      'I am sorry that this has made you angry. Speak to a person, under Help, reaches somebody who can put it right. You can also complain, and stop at any time.',
    asked: ['useless', 'rubbish service', 'swearing'],
    signs:
      /\b(?:fuck\w*|shit\w*|bastards?|wank\w*|bollocks|arseholes?|idiots?|stupid|piss(?:ed)? off|bloody|crap|useless|rubbish (?:service|bot)|hate (?:this|you))\b/,
  },
]
