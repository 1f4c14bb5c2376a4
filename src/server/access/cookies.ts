import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { isLoopbackHost } from './request-guard.ts'

/** The prefix of the names of cookies that let a browser in. */
export const ENTRY_COOKIES = 'throughline-'

/**
 * The cookies that browsers hold for this server. Plain names are for loopback over HTTP alone:
 * elsewhere a `__Host-` cookie comes over TLS, and only from this host.
 */
export class Cookies {
  readonly #publicUrl: string | undefined

  constructor(publicUrl?: string) {
    this.#publicUrl = publicUrl
  }

  read(context: Context, name: string): string | undefined {
    return getCookie(context, this.#named(context, name))
  }

  /** Returns the names of the request's entry cookies, the oldest first. */
  entries(context: Context): readonly string[] {
    const prefix = this.#named(context, '')
    return Object.keys(getCookie(context))
      .filter((name) => name.startsWith(`${prefix}${ENTRY_COOKIES}`))
      .map((name) => name.slice(prefix.length))
  }

  set(context: Context, name: string, cookie: { value: string; lifetimeS: number }): void {
    setCookie(context, this.#named(context, name), cookie.value, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: cookie.lifetimeS,
      secure: this.#isSecure(context),
    })
  }

  remove(context: Context, name: string): void {
    this.set(context, name, { value: '', lifetimeS: 0 })
  }

  #named(context: Context, name: string): string {
    return this.#isSecure(context) ? `__Host-${name}` : name
  }

  #isSecure(context: Context): boolean {
    if (this.#publicUrl !== undefined) return this.#publicUrl.startsWith('https:')
    return !isLoopbackHost(context.req.header('host') ?? '')
  }
}
