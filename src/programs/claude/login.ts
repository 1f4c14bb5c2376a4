import { execFile } from 'node:child_process'
import { z } from 'zod'
import { commandOf } from './open-claude.ts'
import type { ClaudeCommand } from './open-claude.ts'

/** How long a CLI may take to say how it is signed in. */
const LOGIN_ASKED_MAX_MS = 10_000

/** How a CLI is signed in: by a key or a token of its environment, or by a login of its own. */
export interface ClaudeLogin {
  readonly isSignedIn: boolean
  /** In the CLI's words, such as `api_key`, `oauth_token` or `claude.ai`; `none` where it is not signed in. */
  readonly method: string
  /** Milliseconds since the epoch; absent where the login does not expire or the CLI tells no time. */
  readonly expiresAt?: number
}

const status = z
  .object({
    loggedIn: z.boolean(),
    authMethod: z.string(),
    loginExpiresAt: z.union([z.number(), z.string()]).nullish(),
  })
  .transform(({ loggedIn, authMethod, loginExpiresAt }): ClaudeLogin => {
    const expiresAt = new Date(loginExpiresAt ?? Number.NaN).getTime()
    const known = Number.isNaN(expiresAt) ? {} : { expiresAt }
    return { isSignedIn: loggedIn, method: authMethod, ...known }
  })

/** Asks a CLI how it is signed in, without a call to its provider; undefined where it does not say. */
export async function claudeLogin(command: ClaudeCommand): Promise<ClaudeLogin | undefined> {
  const { bin, args, cwd, env } = commandOf(command)
  const told = await new Promise<string>((resolve) => {
    const options = { cwd, env, timeout: LOGIN_ASKED_MAX_MS }
    const asked = [...args, 'auth', 'status', '--json']
    // It ends with 1 where it is not signed in.
    execFile(bin, asked, options, (_error, stdout) => resolve(stdout))
  })
  try {
    return status.parse(JSON.parse(told))
  } catch {
    return undefined
  }
}
