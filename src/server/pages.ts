import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'
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

export interface Pages {
  /** The folder that the surfaces were built into. */
  readonly folder: string
  /** Which page answers a path, by route pattern. */
  readonly routes: Readonly<Record<string, string>>
}

/** Serves built pages; what they show comes from the API. */
export function mountPages(app: Hono, { folder, routes }: Pages): void {
  for (const [pattern, file] of Object.entries(routes)) {
    app.get(pattern, async (context) => {
      context.header('content-security-policy', CONTENT_SECURITY_POLICY)
      context.header('cache-control', 'no-cache')
      return context.html(await readPage(join(folder, file)))
    })
  }
  app.use('/assets/*', async (context, next) => {
    context.header('cache-control', 'public, max-age=31536000, immutable')
    await next()
  })
  // Of a folder that is not there the package speaks on standard error, before anybody has asked.
  if (existsSync(folder)) app.use('/assets/*', serveStatic({ root: folder }))
}

async function readPage(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw notFound('page')
    throw error
  }
}
