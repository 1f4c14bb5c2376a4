import type { SessionEvent } from '../session/session-event.ts'

/** A CLI renews its login after the first refusal; after this many calls in a row no further one succeeds. */
const REFUSED_CALLS_MAX = 2

/** The CLI's own words where only a person can help, by signing in. */
const SIGN_IN_WORDS =
  /\b(?:Invalid API key|Not logged in|Please run \/login|Failed to authenticate|OAuth token (?:has expired|revoked))\b/
const SIGN_IN_ERRORS: ReadonlySet<unknown> = new Set([
  'authentication_failed',
  'oauth_org_not_allowed',
])
const SIGN_IN_STATUS: ReadonlySet<unknown> = new Set([401, 403])

interface Retry {
  readonly attempt: number
  readonly error_status?: number | null | undefined
  readonly error?: string | null | undefined
}

interface SyntheticLine {
  readonly error?: string | null | undefined
  readonly is_api_error_message?: boolean | undefined
  readonly api_error_status?: number | null | undefined
}

interface Said {
  readonly text: string
  /** The call that started the sub-agent whose provider failed. */
  readonly parent: string | null
}

/** Reads from the CLI's lines that the provider of its model failed, and whether a person has to sign in. */
export class ProviderFaults {
  readonly #emit: (event: SessionEvent) => void
  #refusal: string | undefined

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit
  }

  /** Why the provider refuses the calls of the open turn, which was given up for it. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /**
   * Takes a call that failed and that the CLI makes again, for minutes. Returns whether the turn is to be given up:
   * no further call succeeds until a person has signed in.
   */
  retry({ attempt, error_status: status, error }: Retry): boolean {
    if (this.#refusal !== undefined || attempt < REFUSED_CALLS_MAX) return false
    if (!SIGN_IN_ERRORS.has(error) && !SIGN_IN_STATUS.has(status)) return false
    const told = [error, status].filter((part) => part != null).join(', ')
    this.#refusal = `The model's provider refuses the program's key or login (${told})`
    const fault = { status: status ?? null, text: this.#refusal, needsSignIn: true, parent: null }
    this.#emit({ type: 'provider_failed', ...fault })
    return true
  }

  /** Takes what the CLI says in the model's place. */
  say(line: SyntheticLine, { text, parent }: Said): void {
    const isFailure = line.is_api_error_message === true || Boolean(line.error)
    const words = SIGN_IN_WORDS.test(text)
    if (!isFailure && !words && !text.startsWith('API Error')) return
    const status = line.api_error_status ?? statusIn(text)
    const needsSignIn = words || SIGN_IN_ERRORS.has(line.error) || SIGN_IN_STATUS.has(status)
    this.#emit({ type: 'provider_failed', status, text, needsSignIn, parent })
  }

  /** Takes the news of a login that the CLI waits for. */
  signIn(text: string): void {
    this.#emit({ type: 'provider_failed', status: null, text, needsSignIn: true, parent: null })
  }

  turnEnded(): void {
    this.#refusal = undefined
  }
}

function statusIn(text: string): number | null {
  const [, digits] = /\bAPI Error: (\d{3})\b/.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}
