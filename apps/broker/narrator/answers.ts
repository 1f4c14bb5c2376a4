import { KNOWN_ANSWERS } from './known-answers.ts'
import type { Where } from './gate-answers.ts'
import { ASK_PERSON } from './page-names.ts'
import { PARTS_MAX, isAsking, partsOf } from './questions.ts'

const BUTTONS_COUNT = 'Only the buttons on the card count, and I cannot press them for you.'
const DECIDING =
  /^(?:yes|no|ok|okay|i (?:agree|consent|confirm|accept|refuse|grant|do|don't)|grant|refuse|accept|agreed|confirmed|go ahead|do it|submit)\b|\b(?:grant|accept|refuse|submit|confirm) (?:it|this|that)\b|^(?:everything|that|it|all)(?:'s| is) (?:correct|right|fine)\b(?!.*\?)/
/** "No, what does it cost?" is a question. */
const BARE = /^(?:yes|no|ok|okay)\b[\s,.]*$/
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
const ONE_BY_ONE = 'Please ask the rest again in a message of its own.'

/** Every answer of the scripted narrator to what a customer types, in order; none when nothing was asked. */
export function answersTo(said: string, where: Where): readonly string[] {
  const all = partsOf(said.toLowerCase().replaceAll('’', "'"))
  const parts = all.slice(0, PARTS_MAX).map((part) => ({ part, answer: known(part, where) }))
  const asked = parts.filter(({ part }) => isAsking(part))
  const unknown = asked.filter(({ answer }) => answer === undefined)
  const decided = parts.filter(({ part, answer }) => answer === undefined && DECIDING.test(part))
  const answers = [
    ...parts.flatMap(({ answer }) => answer ?? []),
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

function known(part: string, where: Where): string | undefined {
  for (const [asked, answer] of KNOWN_ANSWERS) {
    if (!asked.test(part)) continue
    const found = typeof answer === 'string' ? answer : answer(where, part)
    if (found !== undefined) return found.trim()
  }
  return undefined
}

/** Says which question stays open, by its place: what was typed is not repeated. */
function cannot(places: readonly number[], questions: number): string {
  const names = places.map((place) => ORDINALS[place] ?? '')
  const which =
    questions === 1
      ? 'that'
      : `your ${new Intl.ListFormat('en-GB').format(names)} question${names.length > 1 ? 's' : ''}`
  return `I cannot answer ${which} here. ${ASK_PERSON}`
}
