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
  /** Where it draws without asking; 0: nowhere. */
  readonly screenPort: number
  readonly limits?: SessionLimits
}

/** Files of its folder alone: the CLI resolves links. A rule for `Edit` holds for `Write` too. */
const FILES = ['Read(./**)', 'Edit(./**)', 'Grep(./**)']

/** Commands that draw on the screen, and do nothing else. */
function drawing(port: number): readonly string[] {
  if (port === 0) return []
  const hosts = ['localhost', '127.0.0.1']
  const options = ['-d', '--data', '--data-raw', '--data-binary']
  return hosts.flatMap((host) =>
    options.map((option) => `Bash(curl -s http://${host}:${port}/cmd ${option} *)`),
  )
}

/** Claude Code as the program of the team; for demonstrations the built-in one. */
export function claudePrograms({
  bin,
  folder,
  environment,
  fetchHosts = [],
  screenPort,
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
        permissions: {
          allow: [
            ...FILES,
            ...drawing(screenPort),
            ...fetchHosts.map((host) => `WebFetch(domain:${host})`),
          ],
        },
        ...(isScripted || model === undefined ? {} : { model }),
        ...(resume === undefined ? {} : { resume }),
        ...(limits ? { limits } : {}),
      })
    },
  }
}
