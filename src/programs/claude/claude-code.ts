import type { Program } from '../../agents/index.ts'
import { programOf } from '../ingest.ts'
import { SessionPool } from '../session-pool.ts'
import { SessionRun } from '../session-source.ts'
import type { SessionLimits } from '../session.ts'
import { claudeVersion, openClaude } from './open-claude.ts'
import type { ClaudeCommand, ClaudeOptions } from './open-claude.ts'

export interface ClaudeCodeParts extends ClaudeCommand, Omit<ClaudeOptions, 'systemPrompt'> {
  readonly limits?: SessionLimits
}

/** Claude Code as what answers for an agent. */
export interface ClaudeCode extends Program {
  /** Ends its processes. */
  readonly close: () => Promise<void>
}

/**
 * Claude Code as the program of an agent: one process for each conversation, which is resumed after a crash.
 * Leave for its tools is asked of a person. It has no authority over the domain.
 *
 * @example
 * const coder = defineAgent({ name: 'coder', program: claudeCode({ cwd: 'workspace' }) })
 */
export function claudeCode(parts: ClaudeCodeParts = {}): ClaudeCode {
  let version: Promise<string> | undefined
  const pool = new SessionPool(async ({ memory, conversation, instructions }) => {
    version ??= claudeVersion(parts).catch((error: unknown) => {
      version = undefined
      throw error
    })
    const session = memory === 'resumed' ? { resume: conversation } : { sessionId: conversation }
    const told = { version: await version, systemPrompt: instructions }
    return openClaude({ ...parts, ...told, ...session })
  })
  const program = programOf('process', (input, { signal }) =>
    new SessionRun({ pool, provider: 'anthropic', input, signal }).events(),
  )
  return { ...program, close: () => pool.close() }
}
