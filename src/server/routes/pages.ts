import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { parseAccept } from 'hono/utils/accept'
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { notFound } from '../problems/problem.ts'

const STYLE = /<style>([^]*?)<\/style>/g

const IMMUTABLE = 'public, max-age=31536000, immutable'

export interface Pages {
  /** The folder that the surfaces were built into. */
  readonly folder: string
  /** Which page answers a path, by route pattern. */
  readonly routes: Readonly<Record<string, string>>
  /** Where the files of the folder's `assets` lie; `/assets` by default. */
  readonly assets?: string
  /** Which pages show others in frames, by route pattern. Without it, no page may be framed. */
  readonly frames?: {
    /** Pages that contain frames. */
    readonly outer: readonly string[]
    /** Pages that a page of this origin may frame. */
    readonly inner: readonly string[]
  }
  /** The page that tells a browser of an address without a page. */
  readonly missing?: string
}

/** Requests of API clients and for parts of a page are never answered with a page. */
const NO_PAGES = /\/(?:api|assets)(?:\/|$)/

export type BuiltPages = ReturnType<typeof readPages>

/** Reads the built pages from the disk, once. */
export function readPages({ folder, routes, frames, missing, assets = '/assets' }: Pages) {
  const files = [...new Set([...Object.values(routes), ...(missing ? [missing] : [])])]
  const built = new Map(files.map((file) => [file, readPage(join(folder, file))]))
  return {
    mount(app: Hono): void {
      for (const [pattern, file] of Object.entries(routes)) {
        const page = built.get(file)
        const policy = page && policyOf(page.html, pattern, frames)
        app.get(pattern, etag(), (context) => {
          if (page === undefined || policy === undefined) throw notFound('page')
          context.header('content-security-policy', policy)
          context.header('cache-control', 'no-cache')
          return sendPage(context, page, 200)
        })
        if (/.\/$/.test(pattern)) app.get(pattern.slice(0, -1), addSlash)
      }
      mountAssets(app, folder, assets)
    },
    /** Answers a browser that asks for an address without a page, where the pages include one for it. */
    missing(context: Context): Response | undefined {
      const { method, path } = context.req
      const accepted = context.req.header('accept')?.includes('text/html') ?? false
      if (missing === undefined || method !== 'GET' || !accepted || NO_PAGES.test(path)) {
        return undefined
      }
      const page = built.get(missing)
      if (page === undefined) return undefined
      context.header('content-security-policy', policyOf(page.html, path))
      context.header('vary', 'accept')
      return sendPage(context, page, 404)
    },
  }
}

/** The addresses in a page of a folder are relative to the folder, under whatever prefix it lies. */
function addSlash(context: Context): Response {
  const { pathname, search } = new URL(context.req.url)
  const location = `${pathname.slice(pathname.lastIndexOf('/') + 1)}/${search}`
  return context.text('', 302, { location })
}

function mountAssets(app: Hono, folder: string, assets: string): void {
  app.use(`${assets}/*`, async (context, next) => {
    await next()
    // An asset's name holds a hash of its content; a name that is missing today may exist tomorrow.
    if (context.res.ok) context.header('cache-control', IMMUTABLE)
  })
  // `serveStatic` warns on standard error of a folder that does not exist.
  const isBuilt = existsSync(folder)
  if (!isBuilt) return
  const rewriteRequestPath = (path: string): string => path.slice(path.lastIndexOf('/assets/'))
  app.use(`${assets}/*`, serveStatic({ root: folder, precompressed: true, rewriteRequestPath }))
}

/** Of a page and its compressed copies, the smallest first. */
const ENDINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [undefined, ''],
] as const

/** Returns undefined for a page that is not built: the server starts without it. */
function readPage(path: string) {
  const copies = ENDINGS.flatMap(([encoding, ending]) => {
    if (!existsSync(path + ending)) return []
    const body = new Uint8Array(readFileSync(path + ending))
    return [{ encoding, body, tag: `"${digest(body)}"` }]
  })
  const plain = copies.find(({ encoding }) => encoding === undefined)
  return plain && { html: new TextDecoder().decode(plain.body), copies }
}

function sendPage(
  context: Context,
  { copies }: NonNullable<ReturnType<typeof readPage>>,
  status: 200 | 404,
): Response {
  const accepted = acceptedEncodings(context.req.header('accept-encoding'))
  const copy = copies.find(({ encoding }) => encoding === undefined || accepted.has(encoding))
  if (copy === undefined) throw notFound('page')
  context.header('content-type', 'text/html; charset=UTF-8')
  context.header('vary', 'accept-encoding', { append: true })
  context.header('etag', copy.tag)
  if (copy.encoding) context.header('content-encoding', copy.encoding)
  return context.body(copy.body, status)
}

function acceptedEncodings(header = ''): ReadonlySet<string> {
  const accepted = parseAccept(header.toLowerCase()).filter(({ q }) => q > 0)
  return new Set(accepted.map(({ type }) => type))
}

/** Allows the page's own assets, the styles that its HTML holds, the frames named for it, and nothing else. */
function policyOf(
  html: string,
  pattern: string,
  frames: Pages['frames'] = { outer: [], inner: [] },
): string {
  const styles = [...html.matchAll(STYLE)].map(([, style = '']) => ` 'sha256-${digest(style)}'`)
  const ancestors = frames.inner.includes(pattern) ? "'self'" : "'none'"
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles.join('')}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    ...(frames.outer.includes(pattern) ? ["frame-src 'self'"] : []),
    `frame-ancestors ${ancestors}`,
  ].join('; ')
}

function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64')
}
