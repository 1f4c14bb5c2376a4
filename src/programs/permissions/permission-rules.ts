import { ThroughlineError } from '../../assert/index.ts'
import { isJsonObject, startOf, textOf, unknownMember } from '../../json/index.ts'
import type { Json, KnownMembers } from '../../json/index.ts'
import { beginsWithPattern, fitsPattern, isCommandPattern } from './command-patterns.ts'
import { plainCommands } from './plain-commands.ts'
import type { PlainCommand } from './plain-commands.ts'

/** Rules of one list. */
export const PERMISSION_RULES_MAX = 200

/**
 * Which calls of a coding agent run, which are asked of a person, and which are refused. A rule is the name of a tool,
 * alone or with a pattern: `WebSearch`, `mcp__github__*`, `Bash(git log *)`, `WebFetch(domain:docs.example)`,
 * `Read(./**)`. `deny` goes before `ask`, and `ask` before `allow`; a call that no rule names is asked.
 */
export interface PermissionRules {
  /**
   * A command is allowed where it is plain, and has the words of a rule and no other. A `*` is one word that is no
   * option (`-o`) and no file of curl's (`@file`).
   */
  readonly allow?: readonly string[]
  /** Names each command that begins with the words of a rule; a `*` is any words, or none. */
  readonly ask?: readonly string[]
  /** As in `ask`. A rule is no wall: a shell can write one command in many ways. */
  readonly deny?: readonly string[]
}

type RuleList = keyof PermissionRules

export interface RuleDecision {
  readonly behavior: RuleList
  /** The rules that decided; empty where none names the call. */
  readonly rule: string
}

const LISTS: KnownMembers<PermissionRules> = { allow: true, ask: true, deny: true }
const RULE = /^(?<tool>[\w-]+\*?)(?:\((?<pattern>.+)\))?$/s
/** Their patterns name paths. The program decides by them itself, since it follows links. */
const FILE_TOOLS: ReadonlySet<string> = new Set([
  'Edit',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Read',
  'Write',
])
const RULE_SHOWN_CHARS = 100
const DOMAIN = /^domain:(?:\*\.)?[a-z0-9.-]+$/
/** Members of a command's input beside which it is what it seems. */
const COMMAND_MEMBERS: ReadonlySet<string> = new Set([
  'command',
  'description',
  'run_in_background',
  'timeout',
])

interface Rule {
  readonly text: string
  readonly list: RuleList
  readonly tool: string
  readonly pattern: string | undefined
}

interface Call {
  readonly toolName: string
  readonly input: Json
  /** None where it runs no commands, or they cannot be read. */
  readonly commands: readonly PlainCommand[] | undefined
}

/** The rules for the calls of a coding agent, read and checked. */
export class PermissionDecider {
  readonly #rules: readonly Rule[]

  /** @throws {@link ThroughlineError} `invalid_permissions` */
  constructor(rules: PermissionRules) {
    const unknown = unknownMember(rules, LISTS)
    if (unknown !== undefined) throw invalidPermissions(unknown)
    this.#rules = (['deny', 'ask', 'allow'] as const).flatMap((list) =>
      listOf(rules[list], list).map((text) => readRule(text, list)),
    )
  }

  /** The rules of a list whose patterns name paths: the program is given them. */
  pathRules(list: RuleList): readonly string[] {
    return this.#rules.flatMap((rule) => (rule.list === list && hasPath(rule) ? [rule.text] : []))
  }

  /** The tools that rules without paths name. */
  get tools(): readonly string[] {
    return this.#rules.filter((rule) => !hasPath(rule)).map(({ tool }) => tool)
  }

  /** Whether the program may decide about a tool by a rule for paths: none asks for each of its calls, or refuses it. */
  isDecidedByPath(tool: string): boolean {
    const rules = this.#rules.filter((rule) => rule.tool === tool)
    const isBarred = rules.some(({ list, pattern }) => list !== 'allow' && pattern === undefined)
    return !isBarred && rules.some((rule) => rule.list === 'allow' && hasPath(rule))
  }

  decide(toolName: string, input: Json): RuleDecision {
    const commands = toolName === 'Bash' ? plainCommands(textOf(input, 'command')) : undefined
    const call = { toolName, input, commands }
    const rules = this.#rules.filter((rule) => isNamed(rule.tool, toolName) && !hasPath(rule))
    const barred = rules.find((rule) => rule.list !== 'allow' && mayMean(rule, call))
    if (barred) {
      const isSure = barred.list === 'deny' && isReadable(barred, call)
      return { behavior: isSure ? 'deny' : 'ask', rule: barred.text }
    }
    const allowed = allowedBy(rules, call)
    return allowed ? { behavior: 'allow', rule: allowed } : { behavior: 'ask', rule: '' }
  }
}

/** Whether a call is one that a rule bars, or cannot be read well enough to tell. */
function mayMean(rule: Rule, call: Call): boolean {
  const { pattern } = rule
  if (pattern === undefined || !isReadable(rule, call)) return true
  if (call.commands) return call.commands.some((words) => beginsWithPattern(pattern, words))
  return isOfDomain(pattern, call.input)
}

function isReadable({ pattern }: Rule, { toolName, input, commands }: Call): boolean {
  if (pattern === undefined) return true
  return toolName === 'Bash' ? commands !== undefined : hostOf(input) !== undefined
}

/** The rules that allow a call, each of its commands by one; nothing where a part of it is not allowed. */
function allowedBy(rules: readonly Rule[], call: Call): string | undefined {
  const allowing = rules.filter(({ list }) => list === 'allow')
  const whole = allowing.find(({ pattern }) => pattern === undefined)
  if (whole) return whole.text
  const { toolName, commands, input } = call
  if (toolName !== 'Bash') {
    return allowing.find(({ pattern = '' }) => isOfDomain(pattern, input))?.text
  }
  if (!commands || !isPlainInput(input)) return undefined
  const found = commands.map((words) =>
    allowing.find(({ pattern = '' }) => fitsPattern(pattern, words)),
  )
  if (found.some((rule) => rule === undefined)) return undefined
  return [...new Set(found.map((rule) => rule?.text))].join(', ')
}

/** Whether a call of Bash does nothing but run its command. */
export function isPlainInput(input: Json): boolean {
  return isJsonObject(input) && Object.keys(input).every((name) => COMMAND_MEMBERS.has(name))
}

function isOfDomain(pattern: string, input: Json): boolean {
  const domain = pattern.slice('domain:'.length)
  const host = hostOf(input)
  return domain.startsWith('*.') ? Boolean(host?.endsWith(domain.slice(1))) : host === domain
}

function hostOf(input: Json): string | undefined {
  const url = textOf(input, 'url')
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname } = new URL(url)
  // A dot at the end of a host names the same one.
  return protocol === 'https:' || protocol === 'http:' ? hostname.replace(/\.$/, '') : undefined
}

function isNamed(tool: string, name: string): boolean {
  return tool.endsWith('*') ? name.startsWith(tool.slice(0, -1)) : tool === name
}

function hasPath({ tool, pattern }: Rule): boolean {
  return pattern !== undefined && FILE_TOOLS.has(tool)
}

function listOf(given: unknown, list: RuleList): readonly string[] {
  if (given === undefined) return []
  const isList = Array.isArray(given) && given.every((rule) => typeof rule === 'string')
  if (!isList) throw invalidPermissions(`"${list}" is no list of rules`)
  if (given.length <= PERMISSION_RULES_MAX) return given
  throw invalidPermissions(
    `"${list}" has ${given.length} rules: give at most ${PERMISSION_RULES_MAX}`,
  )
}

function readRule(text: string, list: RuleList): Rule {
  const { tool, pattern } = RULE.exec(text)?.groups ?? {}
  const named = `"${startOf(text, RULE_SHOWN_CHARS)}"`
  if (tool === undefined) {
    const such = 'such as "WebSearch" or "Bash(git log *)"'
    throw invalidPermissions(`${named} is no rule: give a tool, ${such}`)
  }
  const rule = { text, list, tool, pattern }
  const fault = pattern === undefined ? undefined : patternFault(rule, pattern)
  if (fault !== undefined) throw invalidPermissions(`${named} ${fault}`)
  return rule
}

function patternFault({ tool, list }: Rule, pattern: string): string | undefined {
  if (FILE_TOOLS.has(tool)) {
    return list === 'ask' ? 'has a path, which only "allow" and "deny" take' : undefined
  }
  if (tool === 'Bash') {
    return isCommandPattern(pattern) ? undefined : 'is not one plain command, such as "git log *"'
  }
  if (tool !== 'WebFetch') {
    return 'has a pattern, which only Bash, WebFetch and the tools for files take'
  }
  return DOMAIN.test(pattern) ? undefined : 'names no host, such as "domain:docs.example"'
}

export function invalidPermissions(why: string): ThroughlineError<'invalid_permissions'> {
  return new ThroughlineError('invalid_permissions', `Cannot read the permissions: ${why}`)
}
