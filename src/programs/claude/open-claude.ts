import { startOf } from '../../json/index.ts'
import { execFile } from 'node:child_process'
import { childEnvironment } from '../process/environment.ts'
import type { Environment } from '../process/environment.ts'
import { endOrphan } from '../process/orphan.ts'
import type { Orphan } from '../process/orphan.ts'
import { PROGRAM_START_MAX_MS } from '../limits.ts'
import { PermissionDecider, invalidPermissions } from '../permissions/permission-rules.ts'
import type { PermissionRules } from '../permissions/permission-rules.ts'
import { ProgramError } from '../program-error.ts'
import { ProgramSession } from '../session/session.ts'
import type { SessionLimits } from '../session/session.ts'
import { ClaudeDialect } from './dialect.ts'
import type { ClaudeMemory } from './memory.ts'

/** Which CLI is started, and where. */
export interface ClaudeCommand {
  /** By default `claude` on the PATH. */
  readonly bin?: string
  /** Stand before the options of ours. */
  readonly args?: readonly string[]
  /** Where it works; by default where this process does. */
  readonly cwd?: string
  /** Its whole environment; by default {@link claudeEnvironment} of this process's. */
  readonly env?: Readonly<Record<string, string>>
}

/** Which conversation a session is in. */
export interface ClaudeConversation {
  /** One that the CLI has stored. */
  readonly resume?: string
  /** A new one under this id, a UUID; without either the CLI chooses one. */
  readonly sessionId?: string
}

export interface ClaudeOptions {
  readonly model?: string
  readonly fallbackModel?: string
  /** Added to the CLI's own instructions. */
  readonly systemPrompt?: string
  /** Which calls run, are asked of a person, and are refused; by default the CLI's own settings say it. */
  readonly permissions?: PermissionRules
  /** Without `permissions` alone: these modes let calls run that no rule has seen. */
  readonly permissionMode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions'
}

export type ClaudeSessionParts = ClaudeCommand &
  ClaudeOptions &
  ClaudeConversation & {
    /** The result of {@link claudeVersion}, which decides the options that are used. */
    readonly version: string
    /** Names it and all that it starts for {@link endOrphanedClaude}. */
    readonly family?: string
    /** Of the conversation: given to each of its processes, so that what one repeats is not told again. */
    readonly memory?: ClaudeMemory
    readonly limits?: SessionLimits
  }

/** Starts Claude Code, or what speaks its `stream-json`, for one life of its process. */
export function openClaude(parts: ClaudeSessionParts): ProgramSession {
  const { limits, family } = parts
  const { bin, args, cwd, env } = commandOf(parts)
  const decider = permissionDecider(parts)
  return new ProgramSession({
    command: {
      bin,
      args: [...args, ...optionsOf(parts), ...(decider ? permissionOptions(decider) : [])],
      cwd,
      env,
      ...(family === undefined ? {} : { family }),
    },
    dialect: new ClaudeDialect(parts.memory, decider),
    ...(limits ? { limits } : {}),
  })
}

/**
 * Asks a CLI for its version, such as `2.1.330`.
 *
 * @throws {@link ProgramError} `no_program`, or `program_exited` where it tells none
 */
export async function claudeVersion(command: ClaudeCommand): Promise<string> {
  const { bin, args, cwd, env } = commandOf(command)
  const told = await new Promise<string>((resolve, reject) => {
    const options = { cwd, env, timeout: PROGRAM_START_MAX_MS }
    execFile(bin, [...args, '--version'], options, (cause, stdout) => {
      if (!cause) return resolve(stdout)
      const isAbsent = cause.code === 'ENOENT' || cause.code === 'EACCES'
      const code = isAbsent ? 'no_program' : 'program_exited'
      const message = `Cannot start "${bin}": ${isAbsent ? cause.code : 'it tells no version'}`
      reject(new ProgramError(code, message, { cause, isUnreached: true }))
    })
  })
  const [version] = /\d+\.\d+\.\d+/.exec(told) ?? []
  if (version !== undefined) return version
  const why = `it tells no version but "${startOf(told, 100)}"`
  throw new ProgramError('program_exited', `Cannot start "${bin}": ${why}`, { isUnreached: true })
}

/** The variables that Claude Code gets of an environment: what every program needs, and its own. */
export function claudeEnvironment(from: Environment): Readonly<Record<string, string>> {
  return childEnvironment(from, CLAUDE_VARIABLES)
}

const CLAUDE_VARIABLES: readonly string[] = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  'DISABLE_AUTOUPDATER',
  'DISABLE_TELEMETRY',
]

/** A command with the parts that it leaves out. */
export function commandOf({
  bin = 'claude',
  args = [],
  cwd = process.cwd(),
  env = claudeEnvironment(process.env),
}: ClaudeCommand) {
  return { bin, args, cwd, env }
}

/**
 * Ends a CLI whose server was killed, with the commands that it has started, and resolves once they are gone: it may
 * still work on the message that the next one is given. A process that is no such CLI, or works elsewhere, is left
 * alone.
 */
export function endOrphanedClaude(orphan: Omit<Orphan, 'mark'>): Promise<void> {
  return endOrphan({ ...orphan, mark: OUTPUT_FORMAT })
}

const OUTPUT_FORMAT = '--output-format=stream-json'

const STREAM_JSON: readonly string[] = [
  '--print',
  '--input-format=stream-json',
  OUTPUT_FORMAT,
  '--verbose',
  '--replay-user-messages',
  '--permission-prompt-tool=stdio',
]

/** An option that a version does not know ends it. */
function optionsOf(parts: ClaudeSessionParts): readonly string[] {
  const { version, resume, sessionId, model, fallbackModel, permissions } = parts
  const { permissionMode = permissions && 'default' } = parts
  const { systemPrompt = '' } = parts
  const forwardsText = version.localeCompare('2.1.330', 'en', { numeric: true }) >= 0
  const given: readonly (readonly [string, string | undefined])[] = [
    ['--resume', resume],
    ['--session-id', sessionId],
    ['--model', model],
    ['--fallback-model', fallbackModel],
    ['--append-system-prompt', systemPrompt === '' ? undefined : systemPrompt],
    ['--permission-mode', permissionMode],
  ]
  return [
    ...STREAM_JSON,
    ...(forwardsText ? ['--forward-subagent-text'] : []),
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])),
  ]
}

/** The CLI does these without asking in its folder, or everywhere. */
const UNASKED_TOOLS: readonly string[] = ['Bash', 'Glob', 'Grep', 'Read', 'WebFetch', 'WebSearch']

/** The CLI decides by rules for paths, and asks for every other call that a rule may decide. */
function permissionOptions(decider: PermissionDecider): readonly string[] {
  const allowed = decider.pathRules('allow')
  const denied = decider.pathRules('deny')
  const asked = [...UNASKED_TOOLS, ...decider.tools]
  const ask = [...new Set(asked)].filter((tool) => !decider.isDecidedByPath(tool))
  return [
    // Paths of rules in a file of settings are not those of the folder that the CLI works in.
    ...(allowed.length > 0 ? [`--allowedTools=${allowed.join(',')}`] : []),
    ...(denied.length > 0 ? [`--disallowedTools=${denied.join(',')}`] : []),
    `--settings=${JSON.stringify({ permissions: { ask } })}`,
  ]
}

/**
 * Reads the rules for the calls of a CLI, if it is given any.
 *
 * @throws {@link ThroughlineError} `invalid_permissions`
 */
export function permissionDecider({ permissions, permissionMode }: ClaudeOptions) {
  if (!permissions) return undefined
  if (permissionMode !== 'acceptEdits' && permissionMode !== 'bypassPermissions') {
    return new PermissionDecider(permissions)
  }
  const why = `permissionMode "${permissionMode}" lets calls run that no rule has seen`
  throw invalidPermissions(`${why}: leave it out, and name them in "allow"`)
}
