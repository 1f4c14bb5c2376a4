import { BraceWalk } from './brace-walk.ts'
import { isBlank } from './characters.ts'
import { Held } from './held.ts'
import type { DropReason, Dropped } from './held.ts'
import type { JsonObject, JsonReader } from './json-dialects.ts'

/** A line of an agent's text that was meant for the program around it. */
export interface Marker {
  readonly name: string
  readonly data: JsonObject
}

const COLON = 58
const BRACE = 123

/** Reads one marker from behind its `[NAME]` to the end of its JSON, or of the line if that fails. */
export class MarkerLine {
  readonly held: Held
  /** Read so far, but not part of a marker that failed: to be read again as text. */
  rest = ''
  readonly #name: string
  readonly #walk = new BraceWalk()
  /** `skip` hides the rest of the line; `cut` ended before a newline, which is not part of it. */
  #state: 'head' | 'json' | 'skip' | 'closed' | 'cut' = 'head'
  #fault: DropReason | undefined
  #hasColon = false
  #jsonFrom = 0

  constructor(name: string, opener: string, offset: number) {
    this.#name = name
    this.held = new Held(offset, opener)
  }

  get ended(): boolean {
    return this.#state === 'closed' || this.#state === 'cut'
  }

  /** Reads on from `chunk[from]`, at most to where the state changes; returns how far it came. */
  read(chunk: string, from: number): number {
    if (this.#state === 'skip') return this.#skip(chunk, from)
    const to = this.held.fits(chunk, from)
    const at =
      this.#state === 'head' ? this.#readHead(chunk, from, to) : this.#walk.run(chunk, from, to)
    this.held.add(chunk, from, at)
    if (this.#walk.state === 'closed') this.#state = 'closed'
    else if (this.#walk.state === 'broken') this.#break()
    else if (at === to && at < chunk.length) this.#fail('too_large')
    return at
  }

  /** The marker that was read, or why there is none. */
  conclude(reader: JsonReader): { readonly marker: Marker; readonly raw: string } | Dropped {
    const raw = this.held.copy()
    const reason = this.#fault ?? (this.#state === 'closed' ? undefined : 'truncated')
    if (reason) return this.held.drop(reason, raw, this.#name)
    const data = reader.read(raw.slice(this.#jsonFrom), this.#walk)
    if (typeof data === 'string') return this.held.drop(data, raw, this.#name)
    return { marker: { name: this.#name, data }, raw }
  }

  #readHead(text: string, from: number, to: number): number {
    let at = from
    while (at < to) {
      const code = text.charCodeAt(at)
      if (code === BRACE) {
        this.#jsonFrom = this.held.length + at - from
        this.#state = 'json'
        return at + 1
      }
      if (code === COLON && !this.#hasColon) this.#hasColon = true
      else if (!isBlank(code)) {
        this.#fail('malformed')
        return at
      }
      at++
    }
    return at
  }

  #fail(fault: DropReason): void {
    this.#fault = fault
    this.#state = 'skip'
  }

  /** JSON may span lines, but a line that cannot be JSON, and blank ones before it, are text. */
  #break(): void {
    this.#fail('malformed')
    const text = this.held.text
    const newline = text.lastIndexOf('\n')
    if (newline < 0) return
    this.rest = text.slice(text.slice(0, newline).trimEnd().length)
    this.held.giveBack(this.rest.length)
    this.#state = 'cut'
  }

  #skip(chunk: string, from: number): number {
    const newline = chunk.indexOf('\n', from)
    const to = newline < 0 ? chunk.length : newline
    if (newline >= 0) this.#state = 'cut'
    this.held.add(chunk, from, to)
    return to
  }
}
