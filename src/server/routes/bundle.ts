import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Json } from '../../json/index.ts'
import { ProblemError } from '../problems/problem.ts'

/** The records of one bundle, as text: a browser holds all of them. */
export const BUNDLE_BYTES_MAX = 32 * 1_048_576

const BLOCK = /<(script|style)>([^]*?)<\/\1>/g

interface BundlePage {
  readonly before: string
  readonly between: string
  readonly after: string
}

let read: BundlePage | undefined

/**
 * One HTML file with an export in it, which opens without a server, lists the records and verifies their chain
 * itself. `about` is what the server says of them.
 *
 * @throws {@link ProblemError} `too_large`
 */
export async function bundleOf(lines: AsyncIterable<string>, about: Json): Promise<string> {
  read ??= readPage()
  const texts: string[] = []
  let bytes = 0
  for await (const text of lines) {
    bytes += Buffer.byteLength(text)
    if (bytes > BUNDLE_BYTES_MAX) throw tooLarge()
    texts.push(inScript(text))
  }
  // JSON may spell it so; nothing of it is hashed.
  const told = JSON.stringify(about).replaceAll('<', '\\u003c')
  return [read.before, ...texts, read.between, told, read.after].join('')
}

/** Nothing that a record holds can end the block: JSON has no tab as it is, so a tab stands for each "<". */
function inScript(lines: string): string {
  return lines.replaceAll('<', '\t')
}

/** Allows the script and the styles of the page, and nothing else: no record can load or run anything. */
export function withScriptPolicy(html: string): string {
  const allowed = [...html.matchAll(BLOCK)].map(
    ([, name, text = '']) => `${name}-src 'sha256-${hash('sha256', text, 'base64')}'`,
  )
  const policy = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", ...allowed].join(
    '; ',
  )
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`
  return html.replace('<!--policy-->', meta)
}

function readPage(): BundlePage {
  const html = withScriptPolicy(readFileSync(new URL('bundle.html', import.meta.url), 'utf8'))
  const [before = '', rest = ''] = html.split(/\s*\[export\]\s*/)
  const [between = '', after = ''] = rest.split(/\s*\[about\]\s*/)
  return { before, between, after }
}

function tooLarge(): ProblemError {
  const most = `${BUNDLE_BYTES_MAX / 1_048_576} MiB`
  const detail =
    `Cannot bundle this thread: its records have more than ${most}; ` +
    'take the export, and check it with "throughline verify" or on the page of a smaller bundle'
  return new ProblemError('too_large', 413, { detail })
}
