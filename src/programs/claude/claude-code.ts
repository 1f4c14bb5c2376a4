import { RecentValues } from '../recent-ids.ts'
import { processProgram } from '../session/process-program.ts'
import type { ProcessProgram } from '../session/process-program.ts'
import type { SessionLimits } from '../session/session.ts'
import { claudeVersion, openClaude } from './open-claude.ts'
import { ClaudeMemory } from './memory.ts'
import type { ClaudeCommand, ClaudeOptions } from './open-claude.ts'

export interface ClaudeCodeParts extends ClaudeCommand, Omit<ClaudeOptions, 'systemPrompt'> {
  readonly limits?: SessionLimits
}

/**
 * Claude Code as the program of an agent: one process for each conversation, which is resumed after a crash.
 * Permission for its tools is asked of a person. It has no authority over the domain.
 *
 * @example
 * const coder = defineAgent({ name: 'coder', program: claudeCode({ cwd: 'workspace' }) })
 */
export function claudeCode(parts: ClaudeCodeParts = {}): ProcessProgram {
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
