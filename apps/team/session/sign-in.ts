import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent } from 'throughline/server/extend'
import type { Payload } from '../events/index.ts'

export type Auth = Pick<Payload<'auth_state'>, 'authMethod' | 'needsSetup' | 'expiresInMinutes'>

/** How a program is signed in by where it says that its key comes from; `none` says nothing: it may have a token. */
const METHODS: ReadonlyMap<string | null, Auth['authMethod']> = new Map([
  ['ANTHROPIC_API_KEY', 'setup_token'],
  ['apiKeyHelper', 'setup_token'],
  ['/login managed key', 'oauth'],
])

/** How the program is signed in, as its output tells while it runs. */
export class SignIn {
  #known: Auth

  constructor(known: Auth) {
    this.#known = known
  }

  /** Returns how the program is signed in after an event that changed it. */
  take(event: SessionEvent): Auth | undefined {
    const now = authAfter(this.#known, event)
    if (isDeepStrictEqual(now, this.#known)) return undefined
    this.#known = now
    return now
  }
}

function authAfter(known: Auth, event: SessionEvent): Auth {
  switch (event.type) {
    case 'session':
      return withMethod(known, METHODS.get(event.authSource) ?? known.authMethod)
    case 'provider_failed':
      return event.needsSignIn ? { ...known, needsSetup: true, expiresInMinutes: null } : known
    case 'turn_ended': {
      // A command of the program, such as `/cost`, calls no model.
      const calledModel = event.outcome === 'success' && event.steps > 0
      return calledModel && known.needsSetup ? signedIn(known) : known
    }
    default:
      return known
  }
}

function withMethod(known: Auth, authMethod: Auth['authMethod']): Auth {
  return authMethod === known.authMethod ? known : { ...known, authMethod, expiresInMinutes: null }
}

/** A program that names no key of its environment has a login of its own. */
function signedIn({ authMethod, expiresInMinutes }: Auth): Auth {
  const method = authMethod === 'none' ? 'oauth' : authMethod
  return { authMethod: method, needsSetup: false, expiresInMinutes }
}
