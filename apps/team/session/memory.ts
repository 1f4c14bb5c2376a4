import { endOf } from 'throughline/server/extend'
import { isJsonObject } from 'throughline/client'
import { textOf } from 'throughline'
import type { DocumentHead, MessageHead } from '../documents/index.ts'
import { TRANSCRIPT_LINES_MAX, escapeText, isSaid, transcriptLines } from './transcript-text.ts'
import type { ToldDocuments } from './transcript-text.ts'

/** Sessions before that a new session is told of. */
export const SESSIONS_RECALLED_MAX = 3
/** Characters of each of their transcripts, the newest. */
export const TRANSCRIPT_CHARS_MAX = 20_000
/** Artifacts that a new session is told of, those that were made last. */
export const CATALOG_ENTRIES_MAX = 200
/** Characters of an artifact's line. */
export const CATALOG_LINE_CHARS_MAX = 150

/** What a request to start a session gives in place of the server's own documents. */
export interface GivenMemory {
  readonly previousTranscript?: unknown
  readonly artifactCatalog?: unknown
}

/** What a new session is told of earlier ones; an empty text where there is nothing to tell. */
export interface Memory {
  readonly catalogue: string
  readonly transcripts: string
}

export async function memoryOf(given: GivenMemory, documents: ToldDocuments): Promise<Memory> {
  const { artifactCatalog, previousTranscript } = given
  const heads = await documents.heads()
  return {
    catalogue: artifactCatalog === undefined ? ownCatalogue(heads) : catalogueOf(artifactCatalog),
    transcripts:
      previousTranscript === undefined
        ? await ownTranscripts(heads, documents)
        : givenTranscript(previousTranscript),
  }
}

function ownCatalogue(documents: readonly DocumentHead[]): string {
  const artifacts = documents.filter(({ type }) => type === 'artifact')
  const newest = artifacts.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
  return catalogueOf(newest.slice(-CATALOG_ENTRIES_MAX), CATALOG_LINE_CHARS_MAX)
}

function catalogueOf(given: unknown, lineCharsMax = Number.POSITIVE_INFINITY): string {
  if (!Array.isArray(given) || given.length === 0) return ''
  const lines = given.filter(isJsonObject).map((entry) => {
    const [file, category] = [textOf(entry, 'filename'), textOf(entry, 'category') || 'knowledge']
    return lineOf(`- ${file} [${category}] — ${textOf(entry, 'description')}`, lineCharsMax)
  })
  const opening = `<memory category="catalog" document-count=${lines.length}>`
  return [opening, ...lines, '</memory>'].join('\n')
}

function lineOf(text: string, charsMax: number): string {
  return escapeText(text.replaceAll(/\s+/g, ' ')).slice(0, charsMax)
}

/** The sessions that were spoken in last, the newest at the end. */
async function ownTranscripts(
  heads: readonly DocumentHead[],
  documents: ToldDocuments,
): Promise<string> {
  const sessions = new Map<string, MessageHead[]>()
  const ends = new Map<string, string>()
  for (const head of heads) {
    const session = 'serverSessionId' in head ? head.serverSessionId : null
    if (session === null) continue
    if (head.type === 'marker') ends.set(session, head.createdAt)
    if (!isSaid(head)) continue
    const said = sessions.get(session)
    if (said) said.push(head)
    else sessions.set(session, [head])
  }
  const newest = [...sessions].slice(-SESSIONS_RECALLED_MAX)
  const told: string[] = []
  for (const [id, said] of newest) {
    const named = ` session-id="${id}" message-count=${said.length} ended="${ends.get(id) ?? ''}"`
    told.push(previous(await transcriptLines(said, documents), named))
  }
  return told.join('\n\n')
}

function givenTranscript(given: unknown): string {
  if (typeof given === 'string') return given === '' ? '' : previous([escapeText(given)], '')
  if (!Array.isArray(given) || given.length === 0) return ''
  const lines = given.filter(isJsonObject).map((entry) => {
    const speakerType = textOf(entry, 'speakerType') || 'human'
    return escapeText(
      `[${speakerType} — ${textOf(entry, 'speakerName')}]: ${textOf(entry, 'text')}`,
    )
  })
  return previous(lines, ` message-count=${lines.length}`)
}

function previous(lines: readonly string[], named: string): string {
  const opening = `<previous-session category="transcript"${named}>`
  const newest = lines.slice(-TRANSCRIPT_LINES_MAX).join('\n')
  return [opening, endOf(newest, TRANSCRIPT_CHARS_MAX), '</previous-session>'].join('\n')
}
