import { writeSync } from 'node:fs'
import { randomUUID } from 'node:crypto'

type Members = Readonly<Record<string, unknown>>

/** Prints the CLI's lines. A write waits until the reader has room, as a pipe does. */
export class Output {
  readonly session: string

  constructor(session: string) {
    this.session = session
  }

  line(members: Members): void {
    this.write(`${JSON.stringify({ ...members, session_id: this.session, uuid: randomUUID() })}\n`)
  }

  /** A line that has its own uuid or none. */
  plain(members: Members): void {
    this.write(`${JSON.stringify(members)}\n`)
  }

  write(given: string | Buffer): void {
    let rest = typeof given === 'string' ? Buffer.from(given) : given
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(1, rest))
      } catch (error) {
        // The pipe is full.
        if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
      }
    }
  }
}
