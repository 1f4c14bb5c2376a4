import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
import { etag } from 'hono/etag'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound } from './problem.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const IMMUTABLE = 'public, max-age=31536000, immutable'

export interface Pages {
  /** The folder that the surfaces were built into. */
  readonly folder: string
  /** Which page answers a path, by route pattern. */
  readonly routes: Readonly<Record<string, string>>
}

/** Serves built pages; what they show comes from the API. */
export function mountPages(app: Hono, { folder, routes }: Pages): void {
  for (const [pattern, file] of Object.entries(routes)) {
    app.get(pattern, etag(), async (context) => {
      context.header('content-security-policy', CONTENT_SECURITY_POLICY)
      context.header('cache-control', 'no-cache')
      return context.html(await readPage(join(folder, file)))
    })
  }
  app.use('/assets/*', async (context, next) => {
    await next()
    // An asset's name holds a hash of its content; a name that is missing today may exist tomorrow.
    if (context.res.ok) context.header('cache-control', IMMUTABLE)
  })
  // Of a folder that is not there the package speaks on standard error, before anybody has asked.
  if (existsSync(folder)) app.use('/assets/*', serveStatic({ root: folder, precompressed: true }))
}

async function readPage(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('page')
    throw error
  }
}
