import { accessSync, constants, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'
import { BUDGET_TOKENS_MAX, BUDGET_USD_MAX } from './team/events/index.ts'
import type { Budget } from './team/events/index.ts'

export interface TeamSettings {
  /** The program that plays the team; the built-in demonstration, unless it is there. */
  readonly claudeBin?: string
  readonly teamDir: string
  /** 0: no screen listens. */
  readonly screenPort: number
  readonly demoMode: boolean
  /** What a session may spend, unless its start says it. */
  readonly budget: Budget
  /** Hosts whose pages the program fetches without asking a person. */
  readonly fetchHosts: readonly string[]
  /** The server's environment: the program gets only the variables that it needs. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

const SCREEN_PORT = 3848
const FETCH_HOSTS_MAX = 100

type Environment = Readonly<Record<string, string | undefined>>

/** Files of the server by their settings: the program may read and write nothing of them. */
interface KeptPlaces {
  readonly DATA_DIR: string
  readonly HEADS_FILE: string | undefined
  readonly KEYS: string | undefined
}

/** @throws {@link ConfigurationError} */
export function readTeam(env: Environment, kept: KeptPlaces): TeamSettings {
  const claudeBin = env['CLAUDE_BIN'] || (isOnPath('claude', env) ? 'claude' : undefined)
  return {
    ...(claudeBin === undefined ? {} : { claudeBin }),
    teamDir: teamDirOf(env['TEAM_DIR'], kept),
    screenPort: screenPortOf(env['SCREEN_PORT']),
    environment: env,
    demoMode: isSet(env['FORCE_DEMO_MODE']),
    fetchHosts: fetchHostsOf(env['TEAM_FETCH_HOSTS']),
    budget: {
      costUsd: budgetUsdOf(env['TEAM_BUDGET_USD']),
      tokens: budgetTokensOf(env['TEAM_BUDGET_TOKENS']),
    },
  }
}

/** The program reads and writes in its folder without asking, so that none of our files may lie in it. */
function teamDirOf(text: string | undefined, kept: KeptPlaces): string {
  const folder = resolve(text || join(kept.DATA_DIR, 'team'))
  for (const [name, place] of Object.entries(kept)) {
    if (place === undefined || !isInside(place, folder)) continue
    throw new ConfigurationError(
      `TEAM_DIR is "${folder}", which holds ${name} ("${place}"): the program that plays the team could ` +
        `read and change it; choose a folder beside it, such as "${join(kept.DATA_DIR, 'team')}"`,
    )
  }
  return folder
}

function isInside(place: string, folder: string): boolean {
  const path = relative(realPath(folder), realPath(place))
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** Links resolved as far as the path exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path))
  }
}

function fetchHostsOf(text: string | undefined): readonly string[] {
  if (!text) return []
  const hosts = text.split(',').map((each) => each.trim().toLowerCase())
  const odd = hosts.find((host) => !/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/.test(host))
  if (odd !== undefined) {
    throw new ConfigurationError(
      `TEAM_FETCH_HOSTS holds "${odd}": give host names alone, separated by commas, such as "docs.example"`,
    )
  }
  if (hosts.length <= FETCH_HOSTS_MAX) return hosts
  throw new ConfigurationError(
    `TEAM_FETCH_HOSTS holds ${hosts.length} hosts: give at most ${FETCH_HOSTS_MAX}`,
  )
}

function budgetUsdOf(text: string | undefined): number | null {
  if (!text) return null
  const amount = Number(text)
  if (/^\d{1,7}(\.\d{1,2})?$/.test(text) && amount > 0 && amount <= BUDGET_USD_MAX) return amount
  throw new ConfigurationError(
    `TEAM_BUDGET_USD is "${text}": give dollars, more than 0 and at most ${BUDGET_USD_MAX}, such as "5" or "2.50"`,
  )
}

function budgetTokensOf(text: string | undefined): number | null {
  if (!text) return null
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= BUDGET_TOKENS_MAX) return count
  throw new ConfigurationError(
    `TEAM_BUDGET_TOKENS is "${text}": give a whole number from 1 to ${BUDGET_TOKENS_MAX}`,
  )
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
