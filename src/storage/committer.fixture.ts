import { DatabaseSync } from 'node:sqlite'
import { draftAll } from '../log/index.ts'
import type { NewEvent } from '../log/index.ts'
import type { Answer, AppendPart, CommitReply } from './commit-messages.ts'
import { Committer } from './committer.ts'
import { HeadsFile } from './heads-file.ts'
import { takeOver } from './sqlite-schema.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { uuidv7 } from './uuidv7.ts'

/** What the writing thread does, without the thread: on a connection that a test can make fail. */
export class Bench {
  readonly database: DatabaseSync
  readonly replies: CommitReply[] = []
  readonly committer: Committer
  #number = 0

  constructor(path: string, prepare: (database: DatabaseSync) => void = () => {}) {
    const opening = new DatabaseSync(path)
    const { fence, epoch } = takeOver(opening, path, uuidv7)
    opening.close()
    this.database = new DatabaseSync(path)
    prepare(this.database)
    const headsFile = new HeadsFile({ path: `${path}.heads`, key: '', epoch })
    headsFile.open()
    this.committer = new Committer({
      writer: new SqliteWriter(this.database, { path, fence }),
      headsFile,
      suspects: new Map(),
      reply: (reply) => this.replies.push(reply),
      wait: () => false,
    })
  }

  /** Sends an append, in as many parts as there are lists of events; answered when `flush` is called. */
  send(thread: string, ...parts: readonly (readonly NewEvent[])[]): number {
    const number = this.#number++
    for (const [index, events] of parts.entries()) {
      const last = index === parts.length - 1
      const position = index === 0 ? (last ? 'only' : 'first') : last ? 'last' : 'between'
      this.sendPart(number, { thread, events, position })
    }
    return number
  }

  sendPart(
    number: number,
    {
      thread,
      events,
      position,
    }: Pick<AppendPart, 'thread' | 'position'> & { events: readonly NewEvent[] },
  ): void {
    const drafts = draftAll(thread, events, { now: () => 0, id: uuidv7 })
    const ids = drafts.map(({ event }) => event.id)
    const texts = drafts.map(({ json }) => json)
    this.committer.receive({
      kind: 'part',
      number,
      thread,
      expectedVersion: null,
      ids,
      texts,
      position,
    })
  }

  /** The answers of the commits since the last time. */
  flush(): readonly Answer[] {
    this.committer.receive({ kind: 'flush' })
    this.committer.settle()
    return this.replies
      .splice(0)
      .flatMap((reply) => (reply.kind === 'answers' ? reply.answers : []))
  }
}
