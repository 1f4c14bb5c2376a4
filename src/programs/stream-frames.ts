import { createParser } from 'eventsource-parser'
import { JSON_LEVELS_MAX, jsonSize, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { REMOTE_FRAME_BYTES_MAX } from './limits.ts'
import { ProgramError, streamRefused } from './program-error.ts'

const FIELDS = ['data:', 'event:', 'id:', 'retry:', ':']

/**
 * Knows a stream by its first characters: some servers and gateways give it another type. Returns undefined
 * while they may still become those of a stream.
 */
function parserFor(given: string, refused: () => ProgramError): FrameParser | undefined {
  const text = given.trimStart().slice(0, 'retry:'.length)
  if (FIELDS.some((field) => text.startsWith(field))) return new EventStreamFrames()
  if (text.startsWith('{')) return new LineFrames()
  if (FIELDS.some((field) => field.startsWith(text))) return undefined
  throw refused()
}

/** Takes the text of a stream as it comes, and returns the frames that it completes. */
interface FrameParser {
  feed(text: string): readonly string[]
  /** The last frame, where a stream needs no end of it. */
  rest(): readonly string[]
}

class EventStreamFrames implements FrameParser {
  readonly #frames: string[] = []
  readonly #parser: ReturnType<typeof createParser>
  #isTooLarge = false

  constructor() {
    this.#parser = createParser({
      maxBufferSize: REMOTE_FRAME_BYTES_MAX,
      onEvent: ({ data }) => {
        this.#frames.push(data)
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#isTooLarge = true
      },
    })
  }

  feed(text: string): readonly string[] {
    this.#parser.feed(text)
    if (this.#isTooLarge) throw tooLarge('a frame', REMOTE_FRAME_BYTES_MAX)
    return this.#frames.splice(0)
  }

  /** A frame that the connection cuts off never shows. */
  rest(): readonly string[] {
    return []
  }
}

/** One event of JSON on each line. */
class LineFrames implements FrameParser {
  #parts: string[] = []
  #length = 0

  feed(text: string): readonly string[] {
    const [first = '', ...others] = text.split('\n')
    this.#add(first)
    if (others.length === 0) return []
    const lines = [this.#parts.join(''), ...others]
    this.#parts = []
    this.#length = 0
    this.#add(lines.pop() ?? '')
    return lines.filter((line) => line.trim() !== '')
  }

  /** What the connection cut off is no JSON. */
  rest(): readonly string[] {
    const line = this.#parts.join('')
    return isEvent(line) ? [line] : []
  }

  #add(part: string): void {
    this.#parts.push(part)
    this.#length += part.length
    if (this.#length > REMOTE_FRAME_BYTES_MAX) throw tooLarge('a frame', REMOTE_FRAME_BYTES_MAX)
  }
}

function isEvent(line: string): boolean {
  try {
    // It has come as JSON.
    return textOf(JSON.parse(line) as Json, 'type') !== ''
  } catch {
    return false
  }
}

/** Bytes decoded at a time: bounds what waits, however large the platform's chunks are. */
const SLICE_BYTES_MAX = 65_536

/** Splits the bytes of one answer into events. */
export class StreamFrames {
  readonly #refused: () => ProgramError
  readonly #read: (frame: string) => string
  readonly #decoder = new TextDecoder()
  #opening = ''
  #parser: FrameParser | undefined
  /** Whether an event has come. */
  #isKnown = false

  /** `read` gets the text of each frame before it is parsed. */
  constructor(refused: () => ProgramError, read: (frame: string) => string) {
    this.#refused = refused
    this.#read = read
  }

  *take(bytes: Uint8Array): Generator<unknown, void> {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES_MAX) {
      const slice = bytes.subarray(at, at + SLICE_BYTES_MAX)
      const frames = this.#feed(this.#decoder.decode(slice, { stream: true }))
      for (const frame of frames) yield this.#parsed(frame)
    }
  }

  *rest(): Generator<unknown, void> {
    for (const frame of this.#parser?.rest() ?? []) yield this.#parsed(frame)
    // An answer that is JSON and no stream may be an error that came with 200.
    if (this.#parser instanceof LineFrames && !this.#isKnown) throw this.#refused()
  }

  #feed(text: string): readonly string[] {
    if (this.#parser) return this.#parser.feed(text)
    this.#opening += text
    this.#parser = parserFor(this.#opening, this.#refused)
    if (!this.#parser) return []
    return this.#parser.feed(this.#opening)
  }

  #parsed(frame: string): unknown {
    if (this.#parser instanceof LineFrames && !this.#isKnown && !isEvent(frame)) {
      throw this.#refused()
    }
    this.#isKnown = true
    return parsed(this.#read(frame))
  }
}

function parsed(text: string): unknown {
  let value: Json
  try {
    // It has come as JSON.
    value = JSON.parse(text) as Json
  } catch (cause) {
    throw new ProgramError('malformed', 'Cannot read a frame: it is no JSON', { cause })
  }
  // A shorter text cannot be nested so deep.
  if (text.length <= JSON_LEVELS_MAX || jsonSize(value).chars < Infinity) return value
  const why = `it is nested deeper than ${JSON_LEVELS_MAX} levels`
  throw new ProgramError('malformed', `Cannot read a frame: ${why}`)
}

export function tooLarge(what: string, max: number): ProgramError {
  return streamRefused('too_large', `${what} exceeds ${max} bytes`)
}
