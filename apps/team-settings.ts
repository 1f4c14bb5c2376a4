import { accessSync, constants } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'

export interface TeamSettings {
  /** The program that plays the team; the built-in demonstration, unless it is there. */
  readonly claudeBin?: string
  readonly teamDir: string
  /** 0: no screen listens. */
  readonly screenPort: number
  readonly demoMode: boolean
  /** The server's environment: the program gets only the variables that it needs. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly auth: {
    readonly authMethod: 'setup_token' | 'none'
    readonly needsSetup: boolean
    readonly expiresInMinutes: null
  }
}

const SCREEN_PORT = 3848

type Environment = Readonly<Record<string, string | undefined>>

/** @throws {@link ConfigurationError} */
export function readTeam(env: Environment, dataDir: string): TeamSettings {
  const claudeBin = env['CLAUDE_BIN'] || (isOnPath('claude', env) ? 'claude' : undefined)
  const hasToken = Boolean(env['ANTHROPIC_API_KEY'] || env['CLAUDE_CODE_OAUTH_TOKEN'])
  return {
    ...(claudeBin === undefined ? {} : { claudeBin }),
    teamDir: resolve(env['TEAM_DIR'] || join(dataDir, 'team')),
    screenPort: screenPortOf(env['SCREEN_PORT']),
    environment: env,
    demoMode: isSet(env['FORCE_DEMO_MODE']),
    auth: {
      authMethod: hasToken ? 'setup_token' : 'none',
      needsSetup: claudeBin !== undefined && !hasToken,
      expiresInMinutes: null,
    },
  }
}

function screenPortOf(text = ''): number {
  if (text === '') return SCREEN_PORT
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new ConfigurationError(`SCREEN_PORT is "${text}": give a whole number from 0 to 65535`)
}

function isSet(text = ''): boolean {
  return !['', '0', 'false', 'no'].includes(text.toLowerCase())
}

function isOnPath(name: string, env: Environment): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
