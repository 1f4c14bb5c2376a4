import type { Anchor, LogErrorCode } from '../log/index.ts'

/**
 * What the log asks of the thread that writes, and is told. Parts of one append follow each other. All
 * of it is JSON: absent is `null`.
 */
export type CommitRequest =
  | AppendPart
  /** The rest of this append turned out to be unfit: it never was. */
  | { readonly kind: 'cancel'; readonly number: number }
  /** Whoever appends at the moment has said all: what was received may be committed. */
  | { readonly kind: 'flush' }
  | { readonly kind: 'close' }

export interface AppendPart {
  readonly kind: 'part'
  readonly number: number
  readonly thread: string
  readonly expectedVersion: number | null
  /** Ids and drafted texts, one per event. */
  readonly ids: readonly string[]
  readonly texts: readonly string[]
  readonly position: 'only' | 'first' | 'between' | 'last'
}

export type CommitReply =
  | { readonly kind: 'answers'; readonly answers: readonly Answer[] }
  /** Nothing is appended any more. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'closed'; readonly failure: Failure | null }

/** A `LogError` as it crosses threads. */
export interface Failure {
  readonly code: LogErrorCode
  readonly message: string
}

export type Answer =
  | {
      readonly status: 'appended'
      readonly number: number
      /** The head that the append found. */
      readonly before: Anchor
      /** Of those that are new, in their order. */
      readonly hashes: readonly string[]
      /** The record, as JSON, of each event that the thread held; absent when it held none. */
      readonly held: readonly (string | null)[] | null
    }
  | { readonly status: 'refused'; readonly number: number; readonly failure: Failure }
