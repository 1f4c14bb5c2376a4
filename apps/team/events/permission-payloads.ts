import { z } from 'zod'
import { MESSAGE_CHARS_MAX } from './payloads.ts'

/** Characters of a tool's name that a person is shown. */
export const TOOL_NAME_CHARS_MAX = 200
/** Characters of a call's input that can be allowed: a longer one takes too long to read. */
export const ALLOWED_INPUT_CHARS_MAX = 10_000
/** Characters of a call's input that a person is shown; its hidden characters take more room than in the call. */
export const SHOWN_INPUT_CHARS_MAX = 20_000
/** The rules that decided a call, one after the other; more are cut off. */
export const RULE_CHARS_MAX = 1_000
/** Rules of people that stand at a time. */
export const STANDING_RULES_MAX = 100
const FOLDER_CHARS_MAX = 4_096

const shortText = z.string().max(200)

/** A rule that allows one command and no other, as the rules of programs write it: `tool(pattern)`. */
const exactRule = { tool: shortText, pattern: z.string().max(RULE_CHARS_MAX) }
const folder = z.string().max(FOLDER_CHARS_MAX)

/** The program asks for permission to make a call. The digest is of the tool's name, a newline and the input as shown. */
export const permissionAsked = z.object({
  request: shortText,
  toolName: shortText,
  input: z.string().max(SHOWN_INPUT_CHARS_MAX),
  digest: shortText,
  /** All of the call is shown, so that it can be allowed. */
  isWhole: z.boolean().default(false),
  /** Where the program works. Absent in records of an earlier release. */
  folder: folder.optional(),
  /** The call that started the sub-agent that asks; the lead's have none. */
  parentToolUseId: z.string().optional(),
  /** The rule by which a person can allow the call for good. Absent where no rule says just that. */
  always: z.object(exactRule).optional(),
})

/** A call that a rule let run, or refused, so that nobody was asked. */
export const permissionDecided = permissionAsked.pick({ toolName: true, input: true }).extend({
  behavior: z.enum(['allow', 'deny']),
  rule: z.string().max(RULE_CHARS_MAX),
  /** The rule of a person that decided. */
  ruleId: z.uuid().optional(),
})

export const permissionAnswered = z.strictObject({
  request: shortText,
  digest: shortText,
  approved: z.boolean(),
  /** The program reads it, with a yes too. */
  message: shortText.default(''),
  /** A person's answers to the questions that the call asks, by the questions. */
  answers: z.record(z.string().max(MESSAGE_CHARS_MAX), shortText).optional(),
  /** The yes made a rule, which is on record before it. */
  always: z.literal(true).optional(),
})

/** A person allows a call for good: what is asked now, in the folder where it is asked. */
export const permissionRuleAdded = z.strictObject({
  id: z.uuid(),
  request: shortText,
  ...exactRule,
  folder,
})

export const permissionRuleRemoved = z.strictObject({ id: z.uuid() })

export type SavedPermission = z.output<typeof permissionAsked>
export type PermissionAnswer = z.output<typeof permissionAnswered>
export type AddedRule = z.output<typeof permissionRuleAdded>

/** A rule by which a person has allowed a call for good. */
export interface StandingRule extends Omit<AddedRule, 'request'> {
  /** When it was added, in milliseconds since the epoch. */
  readonly ts: number
}
