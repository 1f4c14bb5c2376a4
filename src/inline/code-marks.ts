import { isBlank } from './characters.ts'
import { endsVisible, isShort } from './plain-text.ts'

const NEWLINE = 10
const GREATER = 62
const BACKTICK = 96
const TILDE = 126
/** Marks in a row that open or close a fence. */
const FENCE_MIN = 3

interface Fence {
  readonly mark: number
  readonly length: number
}

/**
 * Follows the code in Markdown prose: spans of backticks, and fences of backticks or tildes. A span ends
 * with as many backticks as it began with, or with its line.
 */
export class CodeMarks {
  #fence: Fence | undefined
  /** The line opens or closes this fence, if nothing on it says otherwise. */
  #opening: Fence | undefined
  #closes = false
  /** How many backticks opened the span; 0 outside spans. */
  #span = 0
  /** Nothing but blanks and the `>` of quotations so far. */
  #atStart = true
  #run: { mark: number; length: number; atStart: boolean } | undefined

  /** Whether text without a backtick or a newline changes nothing. */
  get isSettled(): boolean {
    return !this.#atStart && !this.#closes && !this.#run
  }

  /** Whether what follows the prose so far is code, unless it is a mark itself. */
  beginsInCode(): boolean {
    this.#endRun()
    return this.#fence !== undefined || this.#opening !== undefined || this.#span > 0
  }

  /** Passes prose. */
  pass(text: string): void {
    if (isShort(text) || text.includes('`')) {
      this.#passEach(text)
      return
    }
    const newline = text.indexOf('\n')
    if (newline < 0 && this.isSettled) return
    if (text.includes('~')) {
      this.#passEach(text)
      return
    }
    this.#passVisible(text, newline < 0 ? text.length : newline)
    if (newline < 0) return
    // Lines without a mark end like the first of them.
    this.#endLine()
    if (endsVisible(text)) this.passOther()
  }

  #passEach(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === NEWLINE || code === BACKTICK || !this.isSettled) this.#take(code)
    }
  }

  /** Passes a line without marks: what comes behind its first visible character changes nothing. */
  #passVisible(text: string, to: number): void {
    for (let at = 0; at < to && !this.isSettled; at++) this.#take(text.charCodeAt(at))
  }

  /** Passes whole lines without marks, and the visible start of another one; only if it is settled. */
  passLines(): void {
    this.#fence ??= this.#opening
    this.#opening = undefined
    this.#span = 0
  }

  /** Passes a tag, or a character that is no mark. */
  passOther(): void {
    this.#endRun()
    this.#atStart = false
    this.#closes = false
  }

  reset(): void {
    this.#fence = undefined
    this.#endLine()
  }

  #take(code: number): void {
    if (code === NEWLINE) this.#endLine()
    else if (
      code === BACKTICK ||
      (code === TILDE && (this.#atStart || this.#run?.mark === TILDE))
    ) {
      this.#mark(code)
    } else if (!isBlank(code)) {
      if (code !== GREATER || !this.#atStart) this.passOther()
    } else if (this.#run) this.#endRun()
  }

  #mark(code: number): void {
    if (this.#run?.mark === code) {
      this.#run.length++
      return
    }
    this.#endRun()
    this.#closes = false
    this.#run = { mark: code, length: 1, atStart: this.#atStart }
    this.#atStart = false
  }

  #endRun(): void {
    const run = this.#run
    if (!run) return
    this.#run = undefined
    const { mark, length } = run
    const mayFence = run.atStart && length >= FENCE_MIN
    if (this.#fence) {
      this.#closes = mayFence && mark === this.#fence.mark && length >= this.#fence.length
      return
    }
    // A fence of backticks has no other backtick on its line.
    if (mark === BACKTICK) this.#opening = undefined
    if (mayFence) this.#opening = { mark, length }
    if (mark !== BACKTICK) return
    if (this.#span === 0) this.#span = length
    else if (this.#span === length) this.#span = 0
  }

  #endLine(): void {
    this.#endRun()
    if (this.#closes) this.#fence = undefined
    else this.#fence ??= this.#opening
    this.#opening = undefined
    this.#closes = false
    this.#span = 0
    this.#atStart = true
  }
}
