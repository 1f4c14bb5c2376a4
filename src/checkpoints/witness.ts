import { CheckpointError } from './checkpoint-error.ts'
import { checkpointIn } from './checkpoint.ts'
import { isConsistent } from './merkle-tree.ts'
import { noteOf } from './signed-note.ts'
import type { Signer, Verifier } from './signed-note.ts'

/** Hashes of one proof of consistency: of trees with up to 2^63 leaves. */
export const PROOF_HASHES_MAX = 63
const HASH_BYTES = 32

/** The last checkpoint that a witness has signed of a log. */
export interface WitnessState {
  readonly size: number
  /** Base64. */
  readonly root: string
}

interface WitnessParts {
  readonly signer: Signer
  /** Of the log. */
  readonly log: Verifier
  readonly now: () => number
  /** Kept before a signature is given: a witness that forgets could sign two histories. */
  readonly load: () => WitnessState | undefined
  readonly save: (state: WitnessState) => void
}

/** A request of C2SP's tlog-witness: the size that the log takes to be the witness's last, a proof, a checkpoint. */
export interface AddCheckpoint {
  readonly old: number
  readonly proof: readonly string[]
  readonly note: string
}

/** `signed`: the line of the signature. `stale`: the witness's last size, from which the log has to prove. */
export type Witnessed =
  | { readonly status: 'signed'; readonly line: string }
  | { readonly status: 'stale'; readonly size: number }

/** Signs the checkpoints of one log, each only where it goes on from the one before. */
export class Witness {
  readonly #parts: WitnessParts

  constructor(parts: WitnessParts) {
    this.#parts = parts
  }

  /** @throws {@link CheckpointError} `invalid_checkpoint`, `not_consistent` */
  add({ old, proof, note: given }: AddCheckpoint): Witnessed {
    const { signer, log, now, load, save } = this.#parts
    const note = noteOf(given)
    if (!log.isSignedBy(note)) {
      const why = `it is not signed by "${log.name}"`
      throw new CheckpointError('invalid_checkpoint', `Cannot witness the checkpoint: ${why}`)
    }
    const { origin, size, root } = checkpointIn(note.text)
    if (origin !== log.name) {
      const why = `it is of "${origin}"`
      throw new CheckpointError('invalid_checkpoint', `Cannot witness the checkpoint: ${why}`)
    }
    const last = load() ?? { size: 0, root: '' }
    if (old !== last.size) return { status: 'stale', size: last.size }
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'))
    const areHashes = hashes.every(({ length }) => length === HASH_BYTES)
    const from = { size: last.size, root: Buffer.from(last.root, 'base64') }
    const goesOn =
      areHashes &&
      hashes.length <= PROOF_HASHES_MAX &&
      isConsistent({ from, to: { size, root }, hashes })
    if (!goesOn) {
      const why = `it does not go on from the one with ${last.size} leaves`
      throw new CheckpointError('not_consistent', `Cannot witness the checkpoint: ${why}`)
    }
    save({ size, root: root.toString('base64') })
    return { status: 'signed', line: signer.cosign(note.text, Math.floor(now() / 1_000)) }
  }
}

/**
 * Reads the body of `POST /add-checkpoint`.
 *
 * @throws {@link CheckpointError} `invalid_checkpoint`
 */
export function addCheckpointIn(body: string): AddCheckpoint {
  const end = body.indexOf('\n\n')
  const [first = '', ...proof] = body.slice(0, Math.max(0, end)).split('\n')
  const [, old = ''] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? []
  if (end > 0 && old !== '') return { old: Number(old), proof, note: body.slice(end + 2) }
  const why = 'give "old SIZE", the hashes of a proof, an empty line and the checkpoint'
  throw new CheckpointError('invalid_checkpoint', `Cannot read the request: ${why}`)
}

/** The same, for a witness. */
export function addCheckpointBody({ old, proof, note }: AddCheckpoint): string {
  return [`old ${old}`, ...proof, '', note].join('\n')
}
