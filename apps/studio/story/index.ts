/**
 * The story of any thread for auditors: for each record a sentence, its actor, and its reasons.
 * An application gives the sentences of its own event types. Pure. It must never know an application.
 *
 * @module
 */
export { recordName } from './record-name.ts'
export { tellRecords } from './story.ts'
export type { RecoveredTelling, Told } from './told.ts'
export { inWords, listOf, quoted, said, sentenceCase, wordsOf } from './sentence.ts'
export type { Telling, Tellings } from './sentence.ts'
export { plainValue } from './plain-value.ts'
export { firstWords } from './whole-words.ts'
export { whoOf } from './who.ts'
export type { By } from './who.ts'
export { reasonsFor } from './why.ts'
