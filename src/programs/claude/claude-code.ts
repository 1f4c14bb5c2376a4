import { AgentError } from '../../agents/index.ts'
import { unknownMember } from '../../json/index.ts'
import type { KnownMembers } from '../../json/index.ts'
import { RecentValues } from '../recent-ids.ts'
import { processProgram } from '../session/process-program.ts'
import type { ProcessProgram } from '../session/process-program.ts'
import type { SessionLimits } from '../session/session.ts'
import { claudeVersion, openClaude, permissionDecider } from './open-claude.ts'
import { ClaudeMemory } from './memory.ts'
import type { ClaudeCommand, ClaudeOptions } from './open-claude.ts'

export interface ClaudeCodeParts extends ClaudeCommand, Omit<ClaudeOptions, 'systemPrompt'> {
  readonly limits?: SessionLimits
}

const PARTS: KnownMembers<ClaudeCodeParts> = {
  bin: true,
  args: true,
  cwd: true,
  env: true,
  model: true,
  fallbackModel: true,
  permissions: true,
  permissionMode: true,
  limits: true,
}

/**
 * Claude Code as the program of an agent: one process for each conversation, which is resumed after a crash.
 * Permission for its tools is asked of a person, unless a rule of `permissions` decides. It has no authority over
 * the domain.
 *
 * @throws {@link AgentError} `invalid_agent` for a part that there is not; {@link ThroughlineError}
 * `invalid_permissions`
 * @example
 * const coder = defineAgent({ name: 'coder', program: claudeCode({ cwd: 'workspace' }) })
 */
export function claudeCode(parts: ClaudeCodeParts = {}): ProcessProgram {
  const unknown = unknownMember(parts, PARTS)
  if (unknown !== undefined) {
    throw new AgentError('invalid_agent', `Cannot call claudeCode: ${unknown}`)
  }
  // Faults of the rules are told where they are written, and not by the first turn.
  permissionDecider(parts)
  let version: Promise<string> | undefined
  const memories = new RecentValues<ClaudeMemory>()
  return processProgram(async ({ memory, conversation, instructions }) => {
    version ??= claudeVersion(parts).catch((error: unknown) => {
      version = undefined
      throw error
    })
    const known = memories.of(conversation, () => new ClaudeMemory())
    const session =
      memory === 'resumed' ? { resume: known.session ?? conversation } : { sessionId: conversation }
    const told = { version: await version, systemPrompt: instructions, memory: known }
    return openClaude({ ...parts, ...told, ...session })
  }, 'anthropic')
}
