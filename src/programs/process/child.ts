import { endOf } from '../../json/index.ts'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Buffer } from 'node:buffer'
import { PROGRAM_STDERR_CHARS_MAX, PROGRAM_STOP_MAX_MS } from '../limits.ts'
import { ProgramError } from '../program-error.ts'
import { ByteLines } from './byte-lines.ts'
import type { OutputLine } from './byte-lines.ts'
import { FAMILY_VARIABLE, endFamily } from './family.ts'

/** Why a program's process ended: by itself, or because it was made to. */
export type ExitReason =
  | 'exited'
  | 'stopped'
  | 'start_timeout'
  | 'turn_timeout'
  | 'inactivity_timeout'
  | 'interrupt_timeout'

export interface ProgramExit {
  readonly reason: ExitReason
  /** Null where a signal ended it, or where it never ran. */
  readonly code: number | null
  readonly signal: string | null
  /** The end of its standard error. */
  readonly stderr: string
}

export interface Command {
  readonly bin: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Its whole environment, but for the name of its family. */
  readonly env: Readonly<Record<string, string>>
  /** Names the program and all that it starts, for {@link endFamily}; by default a name of this process alone. */
  readonly family?: string
}

/** A child process that is read by lines and written to by lines, and that ends on request. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams
  /** Resolves once the process has ended, with all that it has started, and its output is closed. */
  readonly exited: Promise<ProgramExit>
  readonly #family: string
  #reason: ExitReason = 'exited'
  #stderr = ''
  #failure: ProgramError | undefined
  #hasExited = false

  constructor({ bin, args, cwd, env, family = randomUUID() }: Command) {
    this.#family = family
    // A group of its own: SIGKILL ends what the program has started, too.
    this.#process = spawn(bin, args, {
      cwd,
      env: { ...env, [FAMILY_VARIABLE]: family },
      stdio: 'pipe',
      detached: true,
    })
    this.#process.on('error', (cause) => {
      this.#failure ??= new ProgramError('no_program', `Cannot start "${bin}": ${cause.message}`, {
        cause,
        isUnreached: true,
      })
    })
    // A write to a process that has ended fails by itself.
    this.#process.stdin.on('error', () => undefined)
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = endOf(this.#stderr + text, PROGRAM_STDERR_CHARS_MAX)
    })
    this.exited = this.#untilExit()
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** Why the process could not be started. */
  get failure(): ProgramError | undefined {
    return this.#failure
  }

  /** The lines of one chunk of output after another; the output waits while the reader does. */
  async *lines(): AsyncGenerator<readonly OutputLine[], void> {
    const lines = new ByteLines()
    try {
      // Without an encoding a stream yields buffers.
      for await (const chunk of this.#process.stdout as AsyncIterable<Buffer>) {
        yield lines.feed(chunk)
      }
    } catch (error) {
      if (!this.#hasExited && !isClosed(error)) throw error
    }
    yield lines.end()
  }

  /** @throws {@link ProgramError} `write_failed` */
  async write(line: string): Promise<void> {
    const { stdin } = this.#process
    try {
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
      })
    } catch (cause) {
      throw new ProgramError('write_failed', 'Cannot write to the program: its input is closed', {
        cause,
      })
    }
  }

  /** Ends the process: SIGTERM, and SIGKILL for all it has started after `PROGRAM_STOP_MAX_MS`. */
  async stop(reason: ExitReason): Promise<ProgramExit> {
    if (this.#reason === 'exited') this.#reason = reason
    if (this.#hasExited) return this.exited
    this.#process.stdin.end()
    this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#killAll(), PROGRAM_STOP_MAX_MS)
    // Its output may be full: unread output is dropped.
    this.#process.stdout.resume()
    const exit = await this.exited
    clearTimeout(timer)
    return exit
  }

  /** Whether Node stays for the program's sake. */
  hold(isHeld: boolean): void {
    const { stdin, stdout, stderr } = this.#process
    // A pipe is a socket, which may be held; its type lacks that.
    const handles = [this.#process, stdin, stdout, stderr] as unknown as readonly Pick<
      ChildProcess,
      'ref' | 'unref'
    >[]
    for (const handle of handles) {
      if (isHeld) handle.ref()
      else handle.unref()
    }
  }

  #killAll(): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Its group is gone, or the platform has none.
      this.#process.kill('SIGKILL')
    }
    // A process that got away may hold the pipes open.
    this.#process.stdout.destroy()
    this.#process.stderr.destroy()
  }

  async #untilExit(): Promise<ProgramExit> {
    const child = this.#process
    const [code, signal] = await once(child, 'exit').catch(() => [null, null])
    if (child.pid !== undefined) await endFamily({ name: this.#family, group: child.pid })
    // A process that got away may hold its output open.
    const timer = setTimeout(() => this.#killAll(), PROGRAM_STOP_MAX_MS)
    if (child.pid !== undefined && !child.stderr.closed) {
      await once(child.stderr, 'close').catch(() => undefined)
    }
    clearTimeout(timer)
    this.#hasExited = true
    return {
      reason: this.#reason,
      code: typeof code === 'number' ? code : null,
      signal: typeof signal === 'string' ? signal : null,
      stderr: this.#stderr,
    }
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
