import { endOf } from 'throughline/server/extend'
import { isJsonObject } from 'throughline/client'
import { textOf } from 'throughline'
import type { Document } from '../documents/index.ts'
import { escapeText, transcriptLine } from './transcript-text.ts'

/** Sessions before that a new session is told of. */
export const SESSIONS_RECALLED_MAX = 3
/** Messages of each of them, the newest. */
export const TRANSCRIPT_LINES_MAX = 40
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

export function memoryOf(given: GivenMemory, documents: readonly Document[]): Memory {
  const { artifactCatalog, previousTranscript } = given
  return {
    catalogue:
      artifactCatalog === undefined ? ownCatalogue(documents) : catalogueOf(artifactCatalog),
    transcripts:
      previousTranscript === undefined
        ? ownTranscripts(documents)
        : givenTranscript(previousTranscript),
  }
}

function ownCatalogue(documents: readonly Document[]): string {
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
function ownTranscripts(documents: readonly Document[]): string {
  const sessions = new Map<string, string[]>()
  const ends = new Map<string, string>()
  for (const document of documents) {
    const session = 'serverSessionId' in document ? document.serverSessionId : null
    if (session === null) continue
    if (document.type === 'marker') ends.set(session, document.createdAt)
    const line = transcriptLine(document)
    if (line === undefined) continue
    const lines = sessions.get(session)
    if (lines) lines.push(line)
    else sessions.set(session, [line])
  }
  const newest = [...sessions].slice(-SESSIONS_RECALLED_MAX)
  return newest
    .map(([id, lines]) => {
      const ended = ends.get(id) ?? ''
      const named = ` session-id="${id}" message-count=${lines.length} ended="${ended}"`
      return previous(lines, named)
    })
    .join('\n\n')
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
