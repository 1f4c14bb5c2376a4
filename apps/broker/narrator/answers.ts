import { aboutTheEnd } from './ended-answers.ts'
import { INSTALLER_SEES, KNOWN_ANSWERS } from './known-answers.ts'
import { whereIsSupport } from './gate-answers.ts'
import type { Where } from './gate-answers.ts'
import { ASK_PERSON } from './page-names.ts'
import { isFigured, readMore } from './help-notes.ts'
import type { Help } from './help-notes.ts'
import { PARTS_MAX, isAsking, partsOf, plainWords } from './questions.ts'

export const BUTTONS_COUNT = 'Only the buttons on the card count, and I cannot press them for you.'
const DECIDING =
  /^(?:yes|no|ok|okay|i (?:agree|consent|confirm|accept|refuse|grant|do|don't)|grant|refuse|accept|agreed|confirmed|go ahead|do it|submit)\b|\b(?:grant|accept|refuse|submit|confirm) (?:it|this|that)\b|^(?:everything|that|it|all)(?:'s| is) (?:correct|right|fine)\b(?!.*\?)/
/** "No, what does it cost?" is a question. */
const BARE = /^(?:yes|no|ok|okay)\b[\s,.]*$/
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
const ONE_BY_ONE = 'Please ask the rest again in a message of its own.'

const NO_WORDS = 'I can read words alone. Type your question in a few words.'

export interface CustomerMessage {
  readonly said: string
  readonly where: Where
  /** The articles that were found for the message. */
  readonly help: readonly Help[]
  /** The cost of the loan from a note; empty without such a note. */
  readonly figures: string
}

/** Every answer of the scripted narrator to what a customer types, in order; none when nothing was asked. */
export function answersTo({ said, where, help, figures }: CustomerMessage): readonly string[] {
  if (said !== '' && !/[\p{L}\p{N}]/u.test(said)) return [NO_WORDS]
  const all = partsOf(plainWords(said))
  const parts = all.slice(0, PARTS_MAX).map((part, at) => {
    const found = help.filter((each) => each.part === at + 1)
    return { part, ...answerTo({ part, where, found, figures }) }
  })
  const asked = parts.filter(({ part }) => isAsking(part))
  const unknown = asked.filter(({ answers }) => answers.length === 0)
  const decided = parts.filter(({ part, answers }) => answers.length === 0 && DECIDING.test(part))
  const answers = [
    ...parts.flatMap(({ support }) => support),
    ...parts.flatMap(({ answers: own, support }) => own.filter((each) => !support.includes(each))),
    ...(unknown.length > 0
      ? [
          cannot(
            unknown.map((each) => asked.indexOf(each)),
            asked.length,
          ),
        ]
      : []),
    ...(all.length > PARTS_MAX ? [ONE_BY_ONE] : []),
  ]
  const counts = decided.some(({ part }) => !BARE.test(part)) || answers.length === 0
  return [...new Set([...answers, ...(decided.length > 0 && counts ? [BUTTONS_COUNT] : [])])]
}

interface MessagePart {
  readonly part: string
  readonly where: Where
  readonly found: readonly Help[]
  readonly figures: string
}

/** Help for a person in difficulty comes first; then the case; then the article. */
function answerTo({ part, where, found, figures }: MessagePart) {
  const urgent = found.find(({ kind }) => kind === 'support')
  const best = found.find(({ kind }) => kind === 'answer')
  const support = urgent ? [quoted(urgent, withCard(urgent, where))] : []
  const own = urgent ? best?.article.answer : (known(part, where) ?? best?.article.answer)
  const figured = best && isFigured(best) ? figures : ''
  const said = own && [own, figured].filter(Boolean).join(' ')
  const answer = said === undefined ? [] : [best ? quoted(best, said) : said]
  return { support, answers: [...support, ...answer] }
}

/** The articles that the card about support belongs to. */
const OF_THE_CARD: readonly string[] = ['bereavement', 'debt', 'disability', 'life-event']

function withCard({ article: { id, answer } }: Help, where: Where): string {
  const card = OF_THE_CARD.includes(id) ? whereIsSupport(where) : ''
  return [answer, card].filter(Boolean).join(' ')
}

function quoted({ article }: Help, answer: string): string {
  return `${answer} ${readMore(article)}`
}

function known(part: string, where: Where): string | undefined {
  const ended = aboutTheEnd(part, where)
  if (ended !== undefined && !INSTALLER_SEES.test(part)) return ended
  for (const [asked, answer] of KNOWN_ANSWERS) {
    if (!asked.test(part)) continue
    const found = typeof answer === 'string' ? answer : answer(where, part)
    if (found !== undefined) return found.trim()
  }
  return undefined
}

/** Names the open question by its place: the person's words are not repeated. */
function cannot(places: readonly number[], questions: number): string {
  const names = places.map((place) => ORDINALS[place] ?? '')
  const which =
    questions === 1
      ? 'that'
      : `your ${new Intl.ListFormat('en-GB').format(names)} question${names.length > 1 ? 's' : ''}`
  return `I cannot answer ${which} here. ${ASK_PERSON}`
}
