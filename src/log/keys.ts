/** The key that seals what is personal to one subject: without it nobody can read that any more. */
export interface SubjectKey {
  /** Names the key in the records that it seals. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** Who had a subject erased, when and why. */
export interface Erasure {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: string
  readonly why: string
}

export type KeyState =
  | { readonly status: 'kept'; readonly key: SubjectKey }
  | { readonly status: 'erased'; readonly erasure: Erasure }

export interface ErasedSubject extends Erasure {
  readonly subject: string
}

/**
 * The keys of subjects, which lie beside a log and never in it. Losing them loses all that they seal. An erased
 * subject stays erased: it gets no key again. Every implementation passes {@link keysContract}.
 */
export interface Keys {
  /** Names this store of keys; a store that is made anew has another. */
  readonly id: string
  /** The key of a subject, made where there is none. It is durable once the promise resolves. */
  keyOf(subject: string): Promise<KeyState>
  /** The same without making one. */
  find(subject: string): Promise<KeyState | undefined>
  /** Destroys the key of a subject for ever. Of two erasures the first stays on record. */
  erase(subject: string, erasure: Erasure): Promise<void>
  /** The erased subjects, in the order of their names, after one of them. */
  erased(after: string, limit: number): Promise<readonly ErasedSubject[]>
  /** Up to which record of the log's erasures the keys have been destroyed; −1 at first. */
  followed(): Promise<number>
  /** Never goes back. */
  follow(seq: number): Promise<void>
  close(): Promise<void>
}

const KEY_BYTES = 32
const ID_BYTES = 8

/** A key of chance for AES-256. */
export function newSubjectKey(randomBytes: (count: number) => Uint8Array): SubjectKey {
  const id = [...randomBytes(ID_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { id, bytes: randomBytes(KEY_BYTES) }
}
