/**
 * Signed checkpoints of a log: a Merkle tree over the heads of its threads, in the formats of C2SP's signed notes and
 * tlogs, proofs for outsiders, and a witness that signs what it has seen grow.
 *
 * Invariant: a tree only grows; nothing is signed whose leaves are not stored. It must never know HTTP, or what a
 * record means.
 *
 * @module
 */
export { Checkpoints } from './checkpoints.ts'
export type { SignedCheckpoint } from './checkpoints.ts'
export { CheckpointError } from './checkpoint-error.ts'
export { newSigningKey, noteOf, signerOf, verifierOf } from './signed-note.ts'
export { askWitness } from './ask-witness.ts'
export { Witness, addCheckpointIn } from './witness.ts'
export type { WitnessState } from './witness.ts'
