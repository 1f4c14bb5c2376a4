import { isJsonArray, membersOf, textOf } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import { LogError } from '../log/index.ts'
import type { EventLog, LogRecord } from '../log/index.ts'
import { CheckpointError } from './checkpoint-error.ts'
import { checkpointText, leafText } from './checkpoint.ts'
import type { HeadLeaf } from './checkpoint.ts'
import { MerkleTree, leafHash } from './merkle-tree.ts'
import { withSignatures } from './signed-note.ts'
import type { Signer } from './signed-note.ts'

/** The thread that holds the leaves and the signed checkpoints. */
export const CHECKPOINTS = 'throughline.checkpoints'
/** Heads in one record of that thread: as many as fit, however long the names of their threads are. */
export const CHECKPOINT_HEADS_MAX = 1_400
/** Threads that one checkpoint adds; those of a larger log come in several. */
export const CHECKPOINT_THREADS_MAX = 30_000
/** Attempts beside another server that makes a checkpoint too. */
const ATTEMPTS = 8

export interface CheckpointsParts {
  readonly log: EventLog
  readonly signer: Signer
}

/** A checkpoint as it was signed. */
export interface SignedCheckpoint {
  readonly size: number
  /** The signed note, as text. */
  readonly note: string
}

export interface InclusionProof extends HeadLeaf {
  readonly index: number
  /** Base64, from the leaf up. */
  readonly hashes: readonly string[]
  readonly checkpoint: string
  readonly verifier: string
}

/**
 * Signs what a log holds: a Merkle tree to which each checkpoint adds the heads of the threads that have moved, so
 * that whoever has an older checkpoint can see that the log of today goes on from it. The leaves and the
 * checkpoints lie in a thread of the log.
 */
export class Checkpoints {
  readonly #parts: CheckpointsParts
  readonly #tree = new MerkleTree()
  /** The last leaf of each thread. */
  readonly #heads = new Map<string, { readonly index: number; readonly leaf: HeadLeaf }>()
  #signed: SignedCheckpoint | undefined
  #position: string | undefined
  #read = -1
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: CheckpointsParts) {
    this.#parts = parts
  }

  /** The key by which the checkpoints can be checked. */
  get verifier(): string {
    return this.#parts.signer.verifier
  }

  /**
   * A checkpoint of everything that was appended before the call; the last one where no thread has moved since.
   *
   * @throws {@link LogError} as appending does
   */
  make(): Promise<SignedCheckpoint> {
    return this.#inTurn(() => this.#make())
  }

  /**
   * Shows that the last checkpoint holds a head of a thread.
   *
   * @throws {@link CheckpointError} `unknown_thread`
   */
  prove(thread: string): Promise<InclusionProof> {
    return this.#inTurn(async () => {
      const signed = await this.#make()
      const held = this.#heads.get(thread)
      if (!held) {
        const why = 'it holds no record'
        throw new CheckpointError('unknown_thread', `Cannot prove "${thread}": ${why}`)
      }
      const hashes = this.#tree.inclusion(held.index, signed.size)
      return {
        ...held.leaf,
        index: held.index,
        hashes: hashes.map((hash) => hash.toString('base64')),
        checkpoint: signed.note,
        verifier: this.verifier,
      }
    })
  }

  /**
   * Shows that the tree of one size begins with that of another, in base64.
   *
   * @throws {@link CheckpointError} `unknown_size`
   */
  consistency(from: number, to: number): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      await this.#catchUp()
      const { size } = this.#tree
      if (from > to || to > size) {
        const why = `give two sizes up to ${size}, the smaller one first`
        throw new CheckpointError('unknown_size', `Cannot compare ${from} with ${to}: ${why}`)
      }
      return this.#tree.consistency(from, to).map((hash) => hash.toString('base64'))
    })
  }

  /** Adds lines of further signatures, such as those of witnesses, where the last checkpoint has this size. */
  keep(lines: string, size: number): Promise<SignedCheckpoint | undefined> {
    return this.#inTurn(async () => {
      await this.#catchUp()
      const signed = this.#signed
      const note = signed?.size === size ? withSignatures(signed.note, lines) : undefined
      if (note === undefined || note === signed?.note) return signed
      const event = { type: 'checkpoint_cosigned', data: { note, size }, origin: SYSTEM }
      await this.#parts.log.append(CHECKPOINTS, [event])
      await this.#catchUp()
      return this.#signed
    })
  }

  /** One after another, as each reads what the one before has written. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work)
    this.#last = next.catch(() => undefined)
    return next
  }

  async #make(): Promise<SignedCheckpoint> {
    for (let failures = 0; ;) {
      await this.#catchUp()
      const { leaves, position, isAll } = await this.#moved()
      if (leaves.length === 0 && isAll && this.#signed) return this.#signed
      try {
        await this.#append(leaves, position)
        if (!isAll) continue
        await this.#catchUp()
        if (this.#signed) return this.#signed
      } catch (error) {
        // Another server was first: its leaves come before ours.
        const isOther = error instanceof LogError && error.code === 'version_conflict'
        if (!isOther || ++failures === ATTEMPTS) throw error
      }
    }
  }

  /** The heads of the threads that have moved since the last checkpoint. */
  async #moved(): Promise<MovedHeads> {
    const { log } = this.#parts
    const heads = new Map<string, number>()
    let position = this.#position ?? ''
    const after = this.#position === undefined ? {} : { after: this.#position }
    let isAll = false
    for await (const batch of log.feed(after)) {
      isAll = batch.length === 0
      if (isAll || heads.size >= CHECKPOINT_THREADS_MAX) break
      for (const moved of batch) {
        position = moved.position
        if (moved.thread === CHECKPOINTS) continue
        heads.delete(moved.thread)
        heads.set(moved.thread, moved.head)
      }
    }
    return { leaves: await this.#leavesOf(heads), position, isAll }
  }

  async #leavesOf(heads: ReadonlyMap<string, number>): Promise<readonly HeadLeaf[]> {
    const leaves: HeadLeaf[] = []
    for (const [thread, seq] of heads) {
      if ((this.#heads.get(thread)?.leaf.seq ?? -1) >= seq) continue
      for await (const [record] of this.#parts.log.read(thread, { after: seq - 1, limit: 1 }))
        if (record) leaves.push({ thread, seq: record.seq, hash: record.hash })
    }
    return leaves
  }

  /** All in one append: a tree is never signed without its leaves. */
  async #append(leaves: readonly HeadLeaf[], position: string): Promise<void> {
    const { log, signer } = this.#parts
    const events = []
    for (let from = 0; from < leaves.length; from += CHECKPOINT_HEADS_MAX) {
      const some = leaves.slice(from, from + CHECKPOINT_HEADS_MAX)
      const heads = some.map(({ thread, seq, hash }) => [thread, seq, hash])
      events.push({ type: 'checkpoint_heads', data: { heads }, origin: SYSTEM })
    }
    const { size, root } = this.#tree.with(leaves.map((leaf) => leafHash(leafText(leaf))))
    const text = checkpointText({ origin: signer.name, size, root })
    const note = `${text}\n${signer.sign(text)}`
    const data = { note, size, position }
    events.push({ type: 'checkpoint_signed', data, origin: SYSTEM })
    await log.append(CHECKPOINTS, events, { expectedVersion: this.#read })
  }

  async #catchUp(): Promise<void> {
    for await (const records of this.#parts.log.read(CHECKPOINTS, { after: this.#read }))
      for (const record of records) this.#take(record)
  }

  #take({ seq, type, data }: LogRecord): void {
    this.#read = seq
    if (type === 'checkpoint_heads') for (const leaf of leavesIn(data)) this.#add(leaf)
    if (type !== 'checkpoint_signed' && type !== 'checkpoint_cosigned') return
    const size = Number(membersOf(data)['size'])
    // Another may have been made meanwhile.
    if (type === 'checkpoint_signed' || this.#signed?.size === size) {
      this.#signed = { size, note: textOf(data, 'note') }
    }
    if (type === 'checkpoint_signed') this.#position = textOf(data, 'position')
  }

  #add(leaf: HeadLeaf): void {
    this.#heads.set(leaf.thread, { index: this.#tree.size, leaf })
    this.#tree.add(leafHash(leafText(leaf)))
  }
}

interface MovedHeads {
  readonly leaves: readonly HeadLeaf[]
  /** Of the feed, up to which they are told. */
  readonly position: string
  /** Whether no other thread has moved. */
  readonly isAll: boolean
}

const SYSTEM = { source: 'system', depth: 0 } as const

/** They were written by `Checkpoints`. */
function leavesIn(data: Json): readonly HeadLeaf[] {
  const { heads = null } = membersOf(data)
  if (!isJsonArray(heads)) return []
  return heads.map((head) => {
    const [thread, seq, hash] = head as readonly [string, number, string]
    return { thread, seq, hash }
  })
}
