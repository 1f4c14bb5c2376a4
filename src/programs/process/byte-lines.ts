import { Buffer, isUtf8 } from 'node:buffer'
import { PROGRAM_LINE_BYTES_MAX } from '../limits.ts'

export type LineFault =
  /** The line is longer than `PROGRAM_LINE_BYTES_MAX`; it was left out. */
  | 'line_too_long'
  /** The line has bytes that are no UTF-8; each became U+FFFD. */
  | 'invalid_utf8'
  /** The output ended within the line. */
  | 'half_line'

/** A line of a program's output. Its text is empty where it was too long. */
export interface OutputLine {
  readonly text: string
  readonly fault?: LineFault
}

const NEWLINE = 0x0a

/** Splits a program's output into lines. At most one line of `PROGRAM_LINE_BYTES_MAX` waits for its end. */
export class ByteLines {
  #parts: Buffer[] = []
  #bytes = 0
  #isTooLong = false

  feed(chunk: Buffer): readonly OutputLine[] {
    const lines: OutputLine[] = []
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end < 0) break
      this.#hold(chunk.subarray(from, end))
      this.#complete(lines)
      from = end + 1
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from))
    return lines
  }

  /** The rest, where the output did not end with a newline. */
  end(): readonly OutputLine[] {
    const lines: OutputLine[] = []
    const isHalf = this.#bytes > 0
    this.#complete(lines)
    return isHalf ? lines.map((line) => ({ fault: 'half_line', ...line })) : []
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length
    this.#isTooLong ||= this.#bytes > PROGRAM_LINE_BYTES_MAX
    if (this.#isTooLong) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #complete(lines: OutputLine[]): void {
    const [first, ...more] = this.#parts
    const isTooLong = this.#isTooLong
    this.#parts = []
    this.#bytes = 0
    this.#isTooLong = false
    if (isTooLong) lines.push({ text: '', fault: 'line_too_long' })
    else if (first) lines.push(lineOf(more.length > 0 ? Buffer.concat([first, ...more]) : first))
  }
}

function lineOf(bytes: Buffer): OutputLine {
  const text = bytes.toString('utf8')
  return isUtf8(bytes) ? { text } : { text, fault: 'invalid_utf8' }
}
