import { CheckpointError } from './checkpoint-error.ts'
import type { Hash } from './merkle-tree.ts'

/** The text of C2SP's tlog checkpoints, without signatures. */
export interface Checkpoint {
  /** Names the log: the name of the key that signs. */
  readonly origin: string
  /** Leaves of the tree. */
  readonly size: number
  readonly root: Hash
}

const HASH_BYTES = 32

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** @throws {@link CheckpointError} `invalid_checkpoint` */
export function checkpointIn(text: string): Checkpoint {
  const [origin = '', count = '', hash = ''] = text.split('\n')
  const root = Buffer.from(hash, 'base64')
  const size = Number(count)
  const isCheckpoint =
    origin !== '' && /^(?:0|[1-9]\d{0,15})$/.test(count) && root.length === HASH_BYTES
  if (isCheckpoint) return { origin, size, root }
  const why = 'it has no origin, size and root'
  throw new CheckpointError('invalid_checkpoint', `Cannot read the checkpoint: ${why}`)
}

/** The leaf of a thread's head. No name of a thread holds a newline. */
export interface HeadLeaf {
  readonly thread: string
  readonly seq: number
  /** Of the record at `seq`: it covers all records before it. */
  readonly hash: string
}

export function leafText({ thread, seq, hash }: HeadLeaf): string {
  return `${thread}\n${seq}\n${hash}`
}
