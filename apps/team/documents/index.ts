/**
 * The documents that last of the team's events: transcript, agents, artifacts, jobs, markers. A projection of the
 * log, kept in a file. It must never know its readers.
 *
 * @module
 */
export { DocumentStore } from './document-store.ts'
export type { Document, DocumentHead, MarkerDocument, Message, MessageHead } from './document.ts'
