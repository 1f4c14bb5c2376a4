/**
 * Signed checkpoints of a log: a Merkle tree over the heads of its threads, in the formats of C2SP's signed notes and
 * tlogs, proofs for outsiders, and a witness that signs what it has seen grow.
 *
 * Invariant: a tree only grows; nothing is signed whose leaves are not stored. It must never know HTTP, or what a
 * record means.
 *
 * @module
 */
export {
  CHECKPOINTS,
  CHECKPOINT_HEADS_MAX,
  CHECKPOINT_THREADS_MAX,
  Checkpoints,
} from './checkpoints.ts'
export type { InclusionProof, SignedCheckpoint } from './checkpoints.ts'
export { CheckpointError } from './checkpoint-error.ts'
export type { CheckpointErrorCode } from './checkpoint-error.ts'
export { checkpointIn } from './checkpoint.ts'
export { newSigningKey, noteOf, signerOf, verifierOf } from './signed-note.ts'
export type { Signer } from './signed-note.ts'
export { WITNESS_TIMEOUT_MS, askWitness } from './ask-witness.ts'
export { Witness, addCheckpointBody, addCheckpointIn } from './witness.ts'
export type { AddCheckpoint, WitnessState, Witnessed } from './witness.ts'
