import { fileURLToPath } from 'node:url'
import {
  ClaudeMemory,
  claudeEnvironment,
  claudeVersion,
  endOrphanedClaude,
  openClaude,
} from 'throughline/server/extend'
import { scriptedClaude } from 'throughline/programs'
import type { ClaudeCommand, SessionLimits } from 'throughline/server/extend'
import { SCRIPTED_MODEL } from './session/index.ts'
import type { Programs } from './session/index.ts'

export interface ClaudeProgramsParts {
  /** The CLI; the built-in demonstration, unless it is given. */
  readonly bin?: string | undefined
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Hosts whose pages it fetches without asking. */
  readonly fetchHosts?: readonly string[]
  readonly limits?: SessionLimits
}

/** Files of its folder alone: the CLI resolves links. A rule for `Edit` holds for `Write` too. */
const ALLOWED_TOOLS = ['Read(./**)', 'Edit(./**)', 'Grep(./**)']
/** The CLI runs `grep -R` without asking and follows links; a pattern of `Glob` may name any folder. */
const ASKED_TOOLS = ['Bash', 'Glob']

/** Claude Code as the program of the team; for demonstrations the built-in one. */
export function claudePrograms({
  bin,
  folder,
  environment,
  fetchHosts = [],
  limits,
}: ClaudeProgramsParts): Programs {
  const env = claudeEnvironment(environment)
  const scripted = scriptedClaude({
    script: fileURLToPath(new URL('./team-script.ts', import.meta.url)),
  })
  const family = `team:${folder}`
  const model = environment['ANTHROPIC_MODEL']
  const memory = new ClaudeMemory()
  return {
    model: bin === undefined ? SCRIPTED_MODEL : (model ?? 'default'),
    async open({ resume, demoMode, orphan = 0 }) {
      await endOrphanedClaude({ pid: orphan, cwd: folder, family })
      const isScripted = bin === undefined || demoMode
      const command: ClaudeCommand = { cwd: folder, env, ...(isScripted ? scripted : { bin }) }
      return openClaude({
        ...command,
        family,
        memory,
        version: await claudeVersion(command),
        allowedTools: [...ALLOWED_TOOLS, ...fetchHosts.map((host) => `WebFetch(domain:${host})`)],
        askedTools: ASKED_TOOLS,
        permissionMode: 'default',
        ...(isScripted || model === undefined ? {} : { model }),
        ...(resume === undefined ? {} : { resume }),
        ...(limits ? { limits } : {}),
      })
    },
  }
}
