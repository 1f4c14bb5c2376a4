/**
 * The narrator: the prompts of a model in front of the installer and of the customer, and a scripted model
 * that needs no key. A prompt holds where the case stands and rules, never a regulated text, and no
 * words of other people but names; a note holds what a click recorded, never what makes a customer
 * vulnerable. It must never change a case: what a narrator proposes is decided elsewhere.
 *
 * @module
 */
export { MISBEHAVIOURS } from './misbehaviour.ts'
export type { Misbehaviour } from './misbehaviour.ts'
export { narrators } from './narrators.ts'
export { customerNotes, installerNotes } from './notes.ts'
export { scriptedNarrator } from './scripted-narrator.ts'
