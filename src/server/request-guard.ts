import type { Context, MiddlewareHandler } from 'hono'
import { ProblemError } from './problem.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

export interface GuardOptions {
  /** Without a token of the operator, loopback may create and list: a rebound name must not reach it. */
  readonly operatorToken?: string
  /** The origin under which people reach the server. */
  readonly publicUrl?: string
  /** Another server answers for the names that it is reached by. */
  readonly mounted?: boolean
}

/** Refuses requests for a host that is not ours, and those that another site makes a browser send. */
export function requestGuard({
  operatorToken,
  publicUrl,
  mounted = false,
}: GuardOptions): MiddlewareHandler {
  const publicly = publicUrl === undefined ? undefined : new URL(publicUrl)
  const anyHost = mounted || (operatorToken !== undefined && !publicly)
  return async (context, next) => {
    const host = context.req.header('host') ?? ''
    if (!anyHost && !isLoopbackHost(host) && !isHostOf(publicly, host)) {
      const names = publicly ? `"${publicly.host}" and loopback names` : 'loopback names'
      throw new ProblemError('host_not_allowed', 403, {
        detail: `Cannot serve "${host}": this server answers to ${names} only`,
      })
    }
    if (!SAFE_METHODS.has(context.req.method) && isForeign(context, { host, publicly, mounted })) {
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

/** Whether a `Host` header, which may name a port, names loopback. */
export function isLoopbackHost(header: string): boolean {
  return LOOPBACK.test(header)
}

function isHostOf(url: URL | undefined, header: string): boolean {
  return url !== undefined && URL.parse(`${url.protocol}//${header}`)?.host === url.host
}

interface Served {
  readonly mounted: boolean
  readonly host: string
  readonly publicly: URL | undefined
}

function isForeign(context: Context, { host, publicly, mounted }: Served): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  // A server before it may have another name than the browser used, which has said that it is the same.
  if (mounted && site !== undefined) return false
  const origin = context.req.header('origin')
  if (origin === undefined || origin === publicly?.origin) return false
  // Under the public name only the public origin is ours: another scheme is another site.
  return isHostOf(publicly, host) || URL.parse(origin)?.host !== host
}
