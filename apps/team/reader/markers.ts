import { isJsonObject, startOf } from 'throughline/client'
import { textOf } from 'throughline'
import type { Json } from 'throughline'
import { MarkerParser } from 'throughline/inline'
import type { Dropped, Marker } from 'throughline/inline'
import type { Marked } from './proposal.ts'

const TYPES: Readonly<Record<string, string>> = {
  AGENT_REGISTERED: 'agent_registered',
  AGENT_STATUS: 'agent_status',
}

const NAMES = [...Object.keys(TYPES), 'ACTION', 'UI_ACTION']

/** The targets of `[ACTION]` that mean the same as a marker of their own. */
const ACTIONS: Readonly<Record<string, string>> = {
  'agents/register': 'AGENT_REGISTERED',
  'agents/status': 'AGENT_STATUS',
}

export interface MarkedText {
  /** The text without its marker lines. */
  readonly text: string
  readonly marked: readonly Marked[]
}

/** Takes the marker lines out of a text. Only the lead's markers count: others are refused. */
export function readMarkers(text: string, speaker: 'lead' | 'sub-agent'): MarkedText {
  if (!text.includes('[')) return { text, marked: [] }
  const parser = new MarkerParser(NAMES)
  const parts = [parser.feed(text), parser.flush()]
  const marked = parts.flatMap(({ markers, raw, dropped }) => [
    ...markers.map((marker, at) => markedBy(marker, raw[at] ?? '')),
    ...dropped.map(droppedMarker),
  ])
  const shown = parts.map(({ displayText }) => displayText).join('')
  return {
    text: marked.length > 0 ? shown.trimEnd() : shown,
    marked: speaker === 'lead' ? marked : marked.map(notAuthorised),
  }
}

/** The text without its marker lines, which mean nothing here. */
export function withoutMarkers(text: string): string {
  return readMarkers(text, 'lead').text
}

function markedBy({ name, data }: Marker, raw: string): Marked {
  // The parser reads JSON alone.
  const json = data as Json
  if (name === 'AGENT_REGISTERED') return { type: 'agent_registered', data: { agent: json }, raw }
  if (name === 'AGENT_STATUS') return { type: 'agent_status', data: json, raw }
  const target = textOf(json, 'target')
  const meant = Object.hasOwn(ACTIONS, target) ? ACTIONS[target] : undefined
  if (meant === undefined) {
    const detail = `Cannot do the action "${startOf(target, 100)}": no such target`
    return { type: 'ui_action', data: json, raw, refused: { refused: 'unknown_type', detail } }
  }
  const body = isJsonObject(json) ? json['data'] : undefined
  return markedBy({ name: meant, data: isJsonObject(body) ? body : {} }, raw)
}

function droppedMarker({ type: name = '', raw, reason }: Dropped): Marked {
  const type = TYPES[name] ?? 'ui_action'
  const detail = `Cannot read the marker "${name}": its JSON is ${reason}`
  return { type, data: null, raw, refused: { refused: 'malformed', detail } }
}

function notAuthorised(marked: Marked): Marked {
  const detail = 'Cannot use the marker: a sub-agent wrote it'
  return { ...marked, refused: { refused: 'not_authorised', detail } }
}
