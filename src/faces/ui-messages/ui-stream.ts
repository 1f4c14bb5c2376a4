import { assert } from '../../assert/index.ts'
import { equalJson } from '../../json/index.ts'
import type { Json } from '../../json/index.ts'
import { resumedBy, turnOf } from '../../activity/index.ts'
import type { EventLog, LogRecord } from '../../log/index.ts'
import { Pace } from '../../thread/index.ts'
import { endsTurn, startOf } from '../turn-records.ts'
import type { Reading, RunWriter, StreamFace, Subject } from '../face.ts'
import type { FollowedState } from '../view.ts'
import { Replies } from './replies.ts'
import { STATE_PART, chunkText } from './ui-chunk.ts'
import type { UiChunk } from './ui-chunk.ts'
import { UiThread } from './ui-thread.ts'

const KEEP_ALIVE = ': keep-alive\n\n'
const DONE = 'data: [DONE]\n\n'

/** The face of a reply for pages of the AI SDK. Its streams have no positions: each begins anew. */
export const uiFace: StreamFace = {
  name: 'ui-messages',
  opening: () => KEEP_ALIVE,
  restart: async () => ({ after: -1, frames: '' }),
  heartbeat: () => KEEP_ALIVE,
}

export interface UiStreamOptions {
  readonly log: EventLog
  readonly turn: string
  /** The surface whose turns the page sees; without one, those of no surface. */
  readonly surface?: string | undefined
  /** `turn`: the page holds what the reply said before this turn. */
  readonly from: 'reply' | 'turn'
}

/** Reads one turn as the AI SDK's UI message stream, live until its end. */
export function uiStream(options: UiStreamOptions): Reading {
  return { key: '', state: false, writer: (subject) => new UiFrames(subject, options) }
}

/** Where a stream is in its turn. */
interface Place {
  readonly thread: UiThread
  readonly state: FollowedState
  readonly reply: string
  /** The record with which the turn began. */
  readonly started: number
  /** The last record before those that are to be taken. */
  readonly from: number
}

class UiFrames implements RunWriter {
  readonly frames = 'run'
  readonly name = ''
  readonly #subject: Subject
  readonly #options: UiStreamOptions
  #place: Place | undefined
  /** The last record that was taken. */
  #taken = -1
  #sentState: Json | undefined
  #status: RunWriter['status'] = 'awaited'
  #last = ''

  constructor(subject: Subject, options: UiStreamOptions) {
    this.#subject = subject
    this.#options = options
  }

  get status(): RunWriter['status'] {
    return this.#status
  }

  get run(): string {
    return this.#options.turn
  }

  async begin(): Promise<{ readonly after: number; readonly frames: string }> {
    const { from, reply, state } = await this.#found()
    const start = chunkText({ type: 'start', messageId: reply })
    return { after: from, frames: start + this.#stateText(state) }
  }

  async catchUp(log: EventLog, upTo: number): Promise<void> {
    const place = await this.#found()
    if (upTo <= this.#taken) return
    const missing = { after: this.#taken, limit: upTo - this.#taken }
    const pace = new Pace()
    for await (const records of log.read(this.#subject.thread, missing)) {
      for (const record of records) this.#take(place, record)
      await pace.rest()
    }
  }

  async ownFramesOf(records: readonly LogRecord[]): Promise<string> {
    const place = await this.#found()
    let text = ''
    for (const record of records) {
      text += this.#take(place, record)
      if (this.#status === 'over') break
    }
    return text
  }

  framesOf(records: readonly LogRecord[]): string {
    let text = ''
    for (const record of records) {
      const frames = this.#place ? this.#take(this.#place, record) : ''
      if (this.#status === 'over') {
        this.#last = frames
        break
      }
      text += frames
    }
    return text
  }

  endFor(): string {
    return this.#last
  }

  #take({ thread, state, reply, started }: Place, record: LogRecord): string {
    this.#taken = record.seq
    const { turn } = this.#options
    state.take(record)
    const said = thread.take(record)
    if (record.seq >= started && this.#status === 'awaited') this.#status = 'open'
    let text = ''
    for (const { chunks, ...of } of said) {
      // A turn that runs again takes back what it said the first time.
      if (of.reply !== reply || (of.turn === turn && record.seq < started)) continue
      for (const chunk of chunks) text += this.#chunk(chunk, of.turn, state)
    }
    const isEnd = record.seq >= started && turnOf(record) === turn && endsTurn(record)
    if (!isEnd || this.status === 'over') return text
    // A role may not see how the turn ended.
    return text + this.#chunk({ type: 'finish', finishReason: 'other' }, turn, state)
  }

  #chunk(chunk: UiChunk, turn: string, state: FollowedState): string {
    const isEnd = ENDS.has(chunk.type)
    if (isEnd && turn !== this.#options.turn) return ''
    const shown = isEnd || chunk.type === 'finish-step' ? this.#stateText(state) : ''
    if (chunk.type !== 'finish' && chunk.type !== 'abort') return shown + chunkText(chunk)
    this.#status = 'over'
    return shown + chunkText(chunk) + DONE
  }

  /** The state where it has changed since it was sent last. */
  #stateText({ state }: FollowedState): string {
    if (this.#sentState !== undefined && equalJson(this.#sentState, state)) return ''
    this.#sentState = state
    return chunkText({ type: STATE_PART, id: 'state', data: state })
  }

  async #found(): Promise<Place> {
    if (this.#place) return this.#place
    const { thread, view } = this.#subject
    const { log, turn, surface, from } = this.#options
    const started = await startOf({ log, turn }, thread)
    assert(started, `Cannot show the turn "${turn}": the thread does not hold it`)
    const reply = await replyOf(log, started)
    const first = Math.min(reply.seq, started.seq)
    const ui = new UiThread({ view, includes: (of) => of === surface })
    const after = (from === 'turn' ? started.seq : first) - 1
    for await (const records of log.read(thread, { after: first - 1, limit: after + 1 - first })) {
      for (const record of records) ui.take(record)
    }
    const state = await view.follow(thread, after)
    this.#taken = after
    this.#place = { thread: ui, state, reply: reply.id, started: started.seq, from: after }
    return this.#place
  }
}

const ENDS: ReadonlySet<string> = new Set<UiChunk['type']>(['finish', 'abort', 'error'])

/** The reply that a turn belongs to: of a turn that goes on after a question, the one that asked. */
async function replyOf(log: EventLog, started: LogRecord) {
  const { id, seq, thread } = started
  const own = { id: started.origin.turn ?? started.origin.run ?? id, seq }
  if (resumedBy(started) === undefined) return own
  const replies = new Replies()
  const pace = new Pace()
  let reply = own
  for await (const records of log.read(thread, { limit: seq + 1 })) {
    for (const record of records) {
      reply = replies.begin(record) ?? reply
      replies.end(record)
    }
    await pace.rest()
  }
  return reply
}
