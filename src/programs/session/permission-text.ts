import { isObjectMember } from '../../domain/index.ts'
import {
  isJsonArray,
  isJsonObject,
  membersOf,
  ownMember,
  startOf,
  visibleJson,
  visibleText,
} from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { PROGRAM_SHOWN_CHARS_MAX, REMOTE_ID_CHARS_MAX } from '../limits.ts'
import type { AskedQuestion, PermissionAnswer, PermissionAsked } from './session-event.ts'

/** Characters of a call's input within a question; a longer one is shown with the call alone. */
const ASKED_CHARS_MAX = 1_000
const NAME_CHARS_MAX = 200

/** The words that ask for permission, with the whole input of the call or with its size. */
export function permissionQuestion({ toolName, input, grants, questions }: AskedCall): string {
  if (questions) return startOf(questions.map(shownQuestion).join('\n'), ASKED_CHARS_MAX)
  const asked = callQuestion(shownName(toolName), input)
  return grants === undefined ? asked : `${asked} A yes selects "${shownName(grants)}".`
}

type AskedCall = Pick<PermissionAsked, 'toolName' | 'input' | 'grants' | 'questions'>

function shownName(name: string): string {
  return startOf(visibleText(startOf(name, NAME_CHARS_MAX)), NAME_CHARS_MAX)
}

function callQuestion(name: string, input: Json): string {
  const { length } = JSON.stringify(input)
  if (length > PROGRAM_SHOWN_CHARS_MAX) {
    return `May ${name} run? Its input has ${length} characters, too many to be shown: it can only be refused.`
  }
  const shown = visibleJson(JSON.stringify(input))
  if (shown.length <= ASKED_CHARS_MAX) return `May ${name} run with ${shown}?`
  return `May ${name} run? Its input has ${length} characters: read it in the call.`
}

/** A person's answer to a request for permission. Only a plain yes lets a tool run, and only if its input was shown. */
export function permissionAnswer(payload: unknown, asked: AskedCall): PermissionAnswer {
  const { input, questions } = asked
  // Read from the log.
  const given = payload as Json | undefined
  const { approved, reason } = isJsonObject(given) ? given : {}
  if (JSON.stringify(input).length > PROGRAM_SHOWN_CHARS_MAX) {
    const message = 'The input of this call is too long to be shown to a person: make it shorter'
    return { behavior: 'deny', message }
  }
  if (questions) return questionsAnswer(questions, { given, input })
  if (approved === true || approved === 'true' || approved === 'yes') {
    const message = typeof reason === 'string' && reason !== '' ? { message: reason } : {}
    return { behavior: 'allow', input, ...message }
  }
  const why = typeof reason === 'string' ? `: ${reason}` : ''
  return { behavior: 'deny', message: `A person did not agree to this call${why}` }
}

/** The questions of a call, by the names under which a person answers them. */
export function questionSchema(questions: readonly AskedQuestion[]) {
  const properties = questions.map((asked, index) => {
    return [keyOf(asked, index), { type: 'string', description: shownQuestion(asked) }] as const
  })
  const named = Object.fromEntries(properties)
  return { type: 'object', properties: named, required: Object.keys(named) }
}

function shownQuestion({ question, options, mayBeSeveral }: AskedQuestion): string {
  const how = mayBeSeveral ? 'one or several of' : 'one of'
  const asked = options.length === 0 ? question : `${question} (${how}: ${options.join(', ')})`
  return startOf(visibleText(startOf(asked, ASKED_CHARS_MAX)), ASKED_CHARS_MAX)
}

/** The question itself, unless no answer can have it as a name. */
function keyOf({ question }: AskedQuestion, index: number): string {
  const isName = question.length <= REMOTE_ID_CHARS_MAX && !isObjectMember(question)
  return isName ? question.toWellFormed() : `question ${index + 1}`
}

function questionsAnswer(
  questions: readonly AskedQuestion[],
  { given, input }: { readonly given: Json | undefined; readonly input: Json },
): PermissionAnswer {
  const values = isJsonObject(given) ? given : {}
  const answers = questions.map((asked, index): readonly [string, string] => {
    const value = ownMember(values, keyOf(asked, index)) ?? ''
    const given = isJsonArray(value) ? value : [value]
    return [asked.question, given.filter((each) => typeof each === 'string').join(', ')]
  })
  if (answers.some(([, answer]) => answer.trim() === '')) {
    return { behavior: 'deny', message: 'A person did not answer' }
  }
  return {
    behavior: 'allow',
    input: { ...membersOf(input), answers: Object.fromEntries(answers) },
  }
}
