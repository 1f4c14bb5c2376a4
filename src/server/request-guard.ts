import type { Context, MiddlewareHandler } from 'hono'
import { ProblemError } from './problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Refuses what another site makes a browser send. With `loopbackOnly`, also what a name that was
 * rebound to this machine sends.
 */
export function requestGuard(options: { readonly loopbackOnly: boolean }): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    if (options.loopbackOnly && !LOOPBACK.test(host)) {
      throw new ProblemError('host_not_allowed', 403, {
        detail: `Cannot serve "${host}": this server answers to loopback names only`,
      })
    }
    if (!SAFE_METHODS.has(context.req.method) && isForeign(context, host)) {
      throw new ProblemError('cross_origin', 403, {
        detail: 'Cannot take a request that another site sent',
      })
    }
    const type = mediaType(context)
    if (
      !SAFE_METHODS.has(context.req.method) &&
      type !== undefined &&
      type !== 'application/json'
    ) {
      throw new ProblemError('unsupported_media_type', 415, {
        detail: 'Cannot read the body: send it as "application/json"',
      })
    }
    await next()
  }
}

/** A form or a plain text can come from another site without being asked for first; JSON cannot. */
export function mediaType(context: Context): string | undefined {
  return context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
}

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}

function isForeign(context: Context, host: string): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const origin = context.req.header('origin')
  return origin !== undefined && URL.parse(origin)?.host !== host
}
