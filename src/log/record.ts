import type { Json } from '../json/index.ts'

export type Source = 'ui' | 'model' | 'rule' | 'system' | 'process' | 'remote'

/**
 * The proposer of an event. Stamped from the connection or the producer's handle, never from a payload.
 * `path` and `call` let the tree of agents be rebuilt from any single record.
 */
export interface Origin {
  readonly source: Source
  readonly surface?: string
  readonly agent?: string
  readonly path?: readonly string[]
  readonly depth: number
  readonly run?: string
  readonly parentRun?: string
  readonly turn?: string
  readonly attempt?: number
  readonly call?: string
  readonly cause?: string
  readonly rule?: string
  /** The person or system that acted, as an opaque id. */
  readonly actor?: string
  /** Who agreed to the tool call that proposed it. */
  readonly approvedBy?: Person
  /** How the commit was made whose decisions begin with this record; reducers do not see it. */
  readonly commit?: CommitMark
}

/** What deciding a commit again needs beside its records. */
export type CommitMark = {
  /** Its decided events and those of the rules, which follow one another. */
  readonly records: number
  /** Rules that start work in the world could fire; absent: they could not. */
  readonly pass?: 'submit'
  /** A person wrote a message in the turn. */
  readonly typed?: true
}

/** A person or system, and the role in which they act. */
export type Person = {
  readonly role?: string
  /** An opaque id. */
  readonly actor?: string
}

/**
 * An event as it is handed to a log. `id` is a UUID that makes the append idempotent for ever;
 * `ts` is milliseconds since the epoch and informs, never orders. The log stamps both when absent.
 */
export interface NewEvent {
  readonly id?: string
  readonly ts?: number
  readonly type: string
  readonly data: Json
  readonly origin?: Origin
  readonly v?: number
}

/** An event as stored: positioned, and chained to the record before it. */
export interface LogRecord {
  readonly seq: number
  readonly id: string
  readonly thread: string
  readonly ts: number
  readonly type: string
  readonly data: Json
  readonly origin: Origin
  readonly v: number
  readonly prev: string
  readonly hash: string
}

/** Hex SHA-256 of a text's UTF-8 bytes; handed in, so that this floor needs no platform. */
export type Sha256 = (text: string) => string
