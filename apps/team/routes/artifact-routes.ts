import { realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { Context, Hono } from 'hono'
import { ProblemError } from 'throughline/server'
import { notFound } from 'throughline/server/extend'
import { MEMORY_FOLDER } from '../reader/index.ts'
import { ofType } from './document-routes.ts'
import { markdownPage } from './markdown.ts'
import { readPlainFile } from './plain-file.ts'
import type { TeamRouteParts } from './route-parts.ts'

/** The largest artifact that is shown. */
export const ARTIFACT_BYTES_MAX = 5_000_000

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=UTF-8',
  '.htm': 'text/html; charset=UTF-8',
  '.md': 'text/html; charset=UTF-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.css': 'text/css; charset=UTF-8',
}

/** An artifact is the program's: it runs no script, and only pages of this server frame it. */
const POLICY =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"

export function mountArtifacts(app: Hono, parts: TeamRouteParts): void {
  app.get('/api/artifacts', async (context) => {
    await parts.access.requireOperator(context)
    const artifacts = ofType(await parts.documents.heads(), 'artifact')
    return context.json({ artifacts, tree: treeOf(artifacts.map(({ filename }) => filename)) })
  })
  app.get('/api/artifacts/*', async (context) => {
    await parts.access.requireOperator(context)
    return showArtifact(context, parts.folder)
  })
}

async function showArtifact(context: Context, folder: string): Promise<Response> {
  const name = decoded(context.req.path.slice('/api/artifacts/'.length))
  const memory = await realpath(join(folder, MEMORY_FOLDER)).catch(() => undefined)
  // A link that leads out of the folder has another real path.
  const path = memory && (await realpath(join(memory, name)).catch(() => undefined))
  if (memory === undefined || path === undefined || !path.startsWith(memory + sep)) {
    throw notFound('artifact')
  }
  const bytes = await readArtifact(path)
  context.header('content-security-policy', POLICY)
  context.header('content-type', TYPES[extname(path)] ?? 'text/plain; charset=UTF-8')
  return extname(path) === '.md'
    ? context.body(markdownPage(bytes.toString('utf8')))
    : context.body(new Uint8Array(bytes))
}

async function readArtifact(path: string): Promise<Buffer> {
  const bytes = await readPlainFile(path, ARTIFACT_BYTES_MAX)
  if (bytes === undefined) throw notFound('artifact')
  if (bytes !== 'too large') return bytes
  const detail = `Cannot show the artifact: it has more than ${ARTIFACT_BYTES_MAX} bytes`
  throw new ProblemError('body_too_large', 413, { detail })
}

function decoded(path: string): string {
  try {
    const name = decodeURIComponent(path)
    if (!name.includes('\0') && !name.split(/[/\\]/).includes('..')) return name
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw notFound('artifact')
}

interface Folder {
  readonly name: string
  readonly files: readonly string[]
  readonly folders: readonly Folder[]
}

function treeOf(names: readonly string[], name = MEMORY_FOLDER): Folder {
  const inside = (folder: string) =>
    names
      .filter((each) => each.startsWith(`${folder}/`))
      .map((each) => each.slice(folder.length + 1))
  const folders = [
    ...new Set(names.filter((each) => each.includes('/')).map((each) => each.split('/')[0] ?? '')),
  ]
  return {
    name,
    files: names.filter((each) => !each.includes('/')).toSorted(),
    folders: folders.toSorted().map((folder) => treeOf(inside(folder), folder)),
  }
}
