import type { Context, MiddlewareHandler } from 'hono'
import { ProblemError } from '../problems/problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

export interface GuardOptions {
  /** Without a token of the operator, loopback may create and list: a rebound name must not reach it. */
  readonly operatorToken?: string
  readonly publicUrl?: string
  /** Another server has checked the names that it is reached by. */
  readonly mounted?: boolean
}

export type SiteOptions = Pick<GuardOptions, 'publicUrl' | 'mounted'>

export function hostGuard({
  operatorToken,
  publicUrl,
  mounted = false,
}: GuardOptions): MiddlewareHandler {
  const publicOrigin = originOf(publicUrl)
  const anyHost = mounted || (operatorToken !== undefined && !publicOrigin)
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    if (!anyHost && !isLoopbackHost(host) && !isHostOf(publicOrigin, host)) {
      const names = publicOrigin ? `"${publicOrigin.host}" and loopback names` : 'loopback names'
      throw new ProblemError('host_not_allowed', 403, {
        detail: `Cannot serve "${host}": this server answers to ${names} only`,
      })
    }
    await next()
  }
}

/**
 * Refuses requests that another site makes a browser send, unless its origin is allowed, and bodies that
 * it could send without being asked for first.
 */
export function siteGuard(
  options: SiteOptions,
  isAllowed: (context: Context) => boolean,
): MiddlewareHandler {
  return async (context, next) => {
    if (SAFE_METHODS.has(context.req.method)) return next()
    if (!isAllowed(context) && isFromOtherSite(context, options)) throw crossOrigin()
    const type = mediaType(context)
    if (type !== undefined && type !== 'application/json') {
      throw new ProblemError('unsupported_media_type', 415, {
        detail: 'Cannot read the body: send it as "application/json"',
      })
    }
    return next()
  }
}

/** A form or a plain text can come from another site without being asked for first; JSON cannot. */
export function mediaType(context: Context): string | undefined {
  return context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** Whether a host's name or address is that of this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}

/** Whether a `Host` header, which may name a port, names loopback. */
export function isLoopbackHost(header: string): boolean {
  return LOOPBACK.test(header)
}

function originOf(publicUrl: string | undefined): URL | undefined {
  return publicUrl === undefined ? undefined : new URL(publicUrl)
}

function isHostOf(url: URL | undefined, header: string): boolean {
  return url !== undefined && URL.parse(`${url.protocol}//${header}`)?.host === url.host
}

export function crossOrigin(mend = 'send it from a page of this server'): ProblemError {
  const proxied = 'a proxy in between must keep the header "host"'
  const detail = `Cannot take a request that another site sent; ${mend}; ${proxied}`
  return new ProblemError('cross_origin', 403, { detail })
}

/** Whether a page of another origin makes a browser send this. */
export function isFromOtherSite(context: Context, { publicUrl, mounted }: SiteOptions): boolean {
  const publicOrigin = originOf(publicUrl)
  const host = context.req.header('host') ?? ''
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  // The browser has said that it is the same site; a server in front may have another name than it used.
  if (mounted && site !== undefined) return false
  const origin = context.req.header('origin')
  if (origin === undefined || origin === publicOrigin?.origin) return false
  // Under the public name only the public origin is ours: another scheme is another site.
  return isHostOf(publicOrigin, host) || URL.parse(origin)?.host !== host
}
