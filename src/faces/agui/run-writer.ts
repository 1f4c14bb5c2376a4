import type { RunFinishedOutcome } from '@ag-ui/core'
import type { Json } from '../../json/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import type { Reading, RunWriter, StreamFace, Subject } from '../face.ts'
import type { AguiLoss } from './downgrade.ts'
import { downgraded } from './downgrade.ts'
import {
  AGUI_FRAME_BYTES_MAX,
  frameText,
  isLongerThan,
  recordFrames,
  unknownPosition,
} from './frame.ts'
import type { AguiFrame } from './frame.ts'
import { boundOutcome } from './tanstack-binding.ts'
import type { ThreadEncoder } from './thread-encoder.ts'
import type { AguiProtocol, WireEvent } from './wire-event.ts'

const KEEP_ALIVE = ': keep-alive\n\n'

/** The face of a run, for a reader that goes on after the frame with this id. */
export function aguiFace(after: string | undefined): StreamFace {
  return {
    name: 'agui',
    opening: () => KEEP_ALIVE,
    restart: () => Promise.reject(unknownPosition(after ?? '')),
    heartbeat: () => KEEP_ALIVE,
  }
}

/** How frames become text. */
export interface TextOptions {
  readonly protocol: AguiProtocol
  /** Called for what a client from before 1.0 is not sent, and for each frame that is too long. */
  readonly onLoss: (loss: AguiLoss) => void
}

/** The options of all streams of AG-UI events. */
export interface AguiStreamOptions extends TextOptions {
  readonly log: EventLog
  /** The id of the last frame that the reader has. */
  readonly after?: string | undefined
}

/** Reads the records of a thread as the frames of one run. */
export interface RunReading {
  readonly encoder: ThreadEncoder
  /** The last record before those that are to be taken. */
  readonly from: number
  /** The frames before those of the records. */
  readonly first?: readonly AguiFrame[]
  /** Whether the last record that was taken ended the run. */
  readonly isOver: boolean
  take(record: LogRecord): readonly AguiFrame[] | Promise<readonly AguiFrame[]>
}

/** Finds the run that a reader asks for. One that has its records up to `at` comes back to it there. */
type FindRun = (subject: Subject, at?: number) => Promise<RunReading>

export function runReading(options: TextOptions, find: FindRun): Reading {
  return {
    key: options.protocol,
    state: false,
    writer: (subject) => new RunFrames(subject, options, find),
  }
}

class RunFrames implements RunWriter {
  readonly frames = 'run'
  readonly #subject: Subject
  readonly #options: TextOptions
  readonly #find: FindRun
  #reading: RunReading | undefined
  /** The last record that was taken. */
  #taken = -1
  #last: readonly AguiFrame[] | undefined

  constructor(subject: Subject, options: TextOptions, find: FindRun) {
    this.#subject = subject
    this.#options = options
    this.#find = find
  }

  get status(): RunWriter['status'] {
    if (this.#last || this.#reading?.isOver) return 'over'
    return this.#reading?.encoder.run ? 'open' : 'awaited'
  }

  get run(): string {
    return this.#reading?.encoder.run?.turn ?? ''
  }

  get name(): string {
    return this.#reading?.encoder.run?.runId ?? ''
  }

  async begin(): Promise<{ readonly after: number; readonly frames: string }> {
    const { from, first = [] } = await this.#found()
    return { after: from, frames: streamText(first, this.#options) }
  }

  async catchUp(log: EventLog, upTo: number): Promise<void> {
    if (upTo <= this.#taken) return
    const reading = await this.#found(upTo)
    if (upTo <= this.#taken) return
    const missing = { after: this.#taken, limit: upTo - this.#taken }
    const pace = new Pace()
    for await (const records of log.read(this.#subject.thread, missing)) {
      for (const record of records) await reading.take(record)
      this.#taken += records.length
      await pace.rest()
    }
  }

  async ownFramesOf(records: readonly LogRecord[]): Promise<string> {
    const reading = await this.#found()
    let text = ''
    for (const record of records) {
      text += streamText(await reading.take(record), this.#options)
      this.#taken = record.seq
      if (reading.isOver) break
    }
    return text
  }

  framesOf(records: readonly LogRecord[]): string {
    let text = ''
    for (const record of records) {
      const encoder = this.#reading?.encoder
      const frames = recordFrames(record.seq, encoder?.take(record) ?? [])
      this.#taken = record.seq
      if (!encoder?.run) {
        this.#last = frames
        break
      }
      text += streamText(frames, this.#options)
    }
    return text
  }

  endFor(runId: string): string {
    const last = this.#last ?? []
    const named = last.map(({ id, event }) => ({ id, event: namedEnd(event, runId) }))
    return streamText(named, this.#options)
  }

  async #found(at?: number): Promise<RunReading> {
    if (this.#reading) return this.#reading
    this.#reading = await this.#find(this.#subject, at)
    this.#taken = this.#reading.from
    return this.#reading
  }
}

/** The end of a run under the name that one of its readers gives it. */
function namedEnd(event: WireEvent, runId: string): WireEvent {
  if (event.type !== 'RUN_FINISHED') return event
  // The encoder has written it.
  const outcome = event['outcome'] as unknown as RunFinishedOutcome
  return { ...event, runId, outcome: boundOutcome(outcome, runId) as unknown as Json }
}

/** Frames as one text of server-sent events, in the version that the client speaks. */
export function streamText(
  frames: readonly AguiFrame[],
  { protocol, onLoss }: TextOptions,
): string {
  return frames
    .map(({ id, event }) => {
      const sent = protocol === 'before-1.0' ? downgraded(event, onLoss) : event
      const text = frameText({ id, event: sent })
      // Only a single text is still too long here: everything else was split.
      if (isLongerThan(text, AGUI_FRAME_BYTES_MAX)) {
        onLoss({ code: 'frame_too_long', type: sent.type })
      }
      return text
    })
    .join('')
}
