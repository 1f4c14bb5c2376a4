import type { Context } from 'hono'
import type { CookieOptions } from 'hono/utils/cookie'
import { TOKEN_LIFETIME_S } from './tokens.ts'

export function cookieOptions(context: Context): CookieOptions {
  return {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: TOKEN_LIFETIME_S,
    secure: isSecure(context),
  }
}

/** The name that a cookie has over this connection: browsers take `__Host-` only with `Secure`. */
export function hostCookieName(context: Context, name: string): string {
  return isSecure(context) ? `__Host-${name}` : name
}

function isSecure(context: Context): boolean {
  return new URL(context.req.url).protocol === 'https:'
}
