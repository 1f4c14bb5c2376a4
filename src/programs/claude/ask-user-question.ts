import { z } from 'zod'
import { isJsonObject, membersOf } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import type { AskedQuestion, PermissionAsked } from '../session/session-event.ts'

const TOOL = 'AskUserQuestion'

const asked = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().min(1),
        multiSelect: z.boolean().optional(),
        options: z.array(z.object({ label: z.string() })).default([]),
      }),
    )
    .min(1),
})

/** The questions that a call of `AskUserQuestion` asks a person; undefined for every other call. */
export function questionsIn({
  toolName,
  input,
}: Pick<PermissionAsked, 'toolName' | 'input'>): readonly AskedQuestion[] | undefined {
  const read = toolName === TOOL ? asked.safeParse(input).data : undefined
  return read?.questions.map(({ question, multiSelect, options }) => ({
    question,
    options: options.map(({ label }) => label),
    mayBeSeveral: multiSelect === true,
  }))
}

/** The input that the CLI wants back with a yes: with the answers, or with what a person said to all. */
export function answeredInput(
  questions: readonly AskedQuestion[],
  { input, message = '' }: { readonly input: Json; readonly message?: string | undefined },
): Json | undefined {
  if (isJsonObject(membersOf(input)['answers'])) return input
  if (message === '') return undefined
  const answers = Object.fromEntries(questions.map(({ question }) => [question, message]))
  return { ...membersOf(input), answers }
}
