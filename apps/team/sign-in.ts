import { claudeEnvironment, claudeLogin } from 'throughline/server/extend'
import type { ClaudeLogin } from 'throughline/server/extend'
import type { Auth } from './session/index.ts'

export interface SignInParts {
  /** The CLI; the built-in demonstration, which needs no key, unless it is given. */
  readonly bin?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** How the program that plays the team is signed in, as it says itself. */
export async function signInOf({ bin, environment, now }: SignInParts): Promise<Auth> {
  if (bin === undefined) return NO_KEY_NEEDED
  const env = claudeEnvironment(environment)
  const login = await claudeLogin({ bin, env })
  return login ? authOf(login, now()) : authByKey(environment)
}

const NO_KEY_NEEDED: Auth = { authMethod: 'none', needsSetup: false, expiresInMinutes: null }
/** Ways to sign in by a variable of the environment; every other is a login of the program's own. */
const BY_VARIABLE: ReadonlySet<string> = new Set(['api_key', 'oauth_token'])

function authOf({ isSignedIn, method, expiresAt }: ClaudeLogin, nowMs: number): Auth {
  if (!isSignedIn) return { authMethod: 'none', needsSetup: true, expiresInMinutes: null }
  return {
    authMethod: BY_VARIABLE.has(method) ? 'setup_token' : 'oauth',
    needsSetup: false,
    expiresInMinutes: expiresAt === undefined ? null : Math.floor((expiresAt - nowMs) / 60_000),
  }
}

/** A program that does not say how it is signed in needs a key. */
function authByKey(environment: SignInParts['environment']): Auth {
  const hasKey = Boolean(environment['ANTHROPIC_API_KEY'] || environment['CLAUDE_CODE_OAUTH_TOKEN'])
  return {
    authMethod: hasKey ? 'setup_token' : 'none',
    needsSetup: !hasKey,
    expiresInMinutes: null,
  }
}
