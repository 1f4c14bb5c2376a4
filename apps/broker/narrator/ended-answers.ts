import type { Where } from './gate-answers.ts'
import { ASK_PERSON } from './page-names.ts'
import { WHO_SEES } from './who-sees-what.ts'

/** The end of an ended case, as named in the prompt. */
type End = 'declined' | 'ineligible' | 'withdrawn' | 'selected'

type EndAnswers = Readonly<Partial<Record<End, string>>>

const INSTALLER = 'You can ask your installer about another way to pay.'
const NOTHING_OWED =
  'You have no loan through us and owe us nothing. Your order and any deposit are between you and your installer.'
const FREE_HELP =
  'StepChange, MoneyHelper and Citizens Advice give free and independent help with money and debt.'
const CREDIT_FILE = 'You can see your credit file, free, from Experian, Equifax and TransUnion.'

const WHAT_LENDERS_LOOK_AT =
  'Lenders look at your credit file, your income, what you spend and how much you borrow. You can ask ' +
  'each lender that said no for its main reason.'

/** Answers about how a case ended: the first line that fits and has an answer for the end counts. */
const ENDED_ANSWERS: readonly (readonly [asked: RegExp, answers: EndAnswers])[] = [
  [
    /\bin debt\b|\bdebts?\b|\bstruggl\w+|\bworried\b|\b(?:cannot|can't|could not|couldn't) (?:afford|pay)\b|\bmoney (?:trouble|problems?|worries)\b|\blost my job\b/,
    inEveryEnd(`Thank you for telling me. ${FREE_HELP} ${ASK_PERSON}`),
  ],
  [
    /\b(?:apply|try|ask) (?:again|elsewhere|once more)\b|\b(?:other|another|different) (?:lender|bank|loan|broker)s?\b|\breapply\b|\bappeal\b|\bstart (?:again|over)\b/,
    {
      declined:
        'I cannot say what another lender would decide. Each application can leave a mark on your ' +
        `credit file, so you may want free advice first. ${FREE_HELP}`,
      ineligible: 'If one of your answers was wrong, ask your installer to start again with you.',
      withdrawn: 'If you change your mind, ask your installer for a new link.',
    },
  ],
  [
    /\bwhat(?:'s| is| happens| do i do| comes)? next\b|\bwhat now\b|\bwhat (?:can|could|should|do) i do\b|\bmy options\b/,
    {
      declined: `You need do nothing more here. ${INSTALLER} ${CREDIT_FILE}`,
      ineligible: `You need do nothing more here. ${INSTALLER}`,
      withdrawn:
        'You need do nothing more here. If you change your mind, ask your installer for a new link.',
      selected:
        'The lender makes a hard search, then sends you its agreement. You sign it only if you are ' +
        'happy with it.',
    },
  ],
  [
    /\bowe\b|\bdeposit\b|\bmy order\b/,
    {
      declined: NOTHING_OWED,
      ineligible: NOTHING_OWED,
      withdrawn: NOTHING_OWED,
      selected: 'You owe nothing before you sign the lender’s own agreement.',
    },
  ],
  [
    /\bwhy\b|\breasons?\b|\bwhat (?:went wrong|happened|did i do wrong)\b/,
    {
      declined: `${WHO_SEES.reasons} ${WHAT_LENDERS_LOOK_AT} ${CREDIT_FILE} ${ASK_PERSON}`,
      // How the case ended is said in every reply, and names the requirement.
      ineligible: '',
    },
  ],
  [
    /\bcredit (?:score|file|record|history|search\w*|checks?)\b|\bsoft search\b/,
    {
      declined:
        'We do not see your credit score. A lender that decides makes a soft search. You can see it on your file. Other lenders cannot, ' +
        `and it does not change your score. ${CREDIT_FILE}`,
      ineligible: 'No credit search was made.',
    },
  ],
]

/** Returns the scripted narrator's answer about an ended case; undefined for other topics. */
export function aboutTheEnd(part: string, { gate, status, outcome }: Where): string | undefined {
  if (gate !== 'closed') return undefined
  const end = endOf(status, outcome)
  const found = ENDED_ANSWERS.find(([asked, answers]) => asked.test(part) && end in answers)
  return found?.[1][end]
}

function endOf(status: string, outcome: string): End {
  const ends: readonly End[] = ['declined', 'ineligible', 'withdrawn', 'selected']
  // A case that was closed without an offer has stopped as one that was withdrawn has.
  return ends.find((end) => end === status || end === outcome) ?? 'withdrawn'
}

function inEveryEnd(answer: string): EndAnswers {
  return { declined: answer, ineligible: answer, withdrawn: answer, selected: answer }
}
