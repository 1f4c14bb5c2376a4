import { isJsonArray, isJsonObject, membersOf, textOf } from 'throughline/client'
import type { Json } from 'throughline/client'

const TOOL = 'AskUserQuestion'

/** A question of the program to a person. */
export interface AskedQuestion {
  readonly question: string
  readonly options: readonly { readonly label: string; readonly hint: string }[]
  readonly mayBeSeveral: boolean
}

/** The questions that a call asks; none for a call of another tool, or for one whose input was cut. */
export function questionsOf({
  toolName,
  input,
}: {
  readonly toolName: string
  readonly input: string
}): readonly AskedQuestion[] {
  if (toolName !== TOOL) return []
  const questions = membersOf(parsed(input))['questions'] ?? null
  if (!isJsonArray(questions)) return []
  return questions.filter(isJsonObject).map((each) => ({
    question: textOf(each, 'question'),
    options: optionsOf(each['options'] ?? null),
    mayBeSeveral: each['multiSelect'] === true,
  }))
}

function optionsOf(options: Json): AskedQuestion['options'] {
  if (!isJsonArray(options)) return []
  return options.map((option) => ({
    label: textOf(option, 'label'),
    hint: textOf(option, 'description'),
  }))
}

function parsed(input: string): Json {
  try {
    return JSON.parse(input) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** What a person chose and wrote for each question, by its place. */
export interface GivenAnswer {
  readonly chosen: readonly string[]
  readonly words: string
}

export const NO_ANSWER: GivenAnswer = { chosen: [], words: '' }

/** The answers by their questions; undefined while one is missing. A person's own words count besides what they chose. */
export function answersOf(
  questions: readonly AskedQuestion[],
  given: readonly GivenAnswer[],
): Readonly<Record<string, string>> | undefined {
  const answers = questions.map(({ question }, at) => {
    const { chosen, words } = given[at] ?? NO_ANSWER
    return [question, [...chosen, words.trim()].filter(Boolean).join(', ')] as const
  })
  return answers.every(([, answer]) => answer !== '') ? Object.fromEntries(answers) : undefined
}
