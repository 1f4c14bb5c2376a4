import { isJsonObject } from '../json/index.ts'
import type { Json } from '../json/index.ts'
import type { SnapshotKey, Snapshots, StoredSnapshot } from '../log/index.ts'
import { openText, sealText } from './seal.ts'
import type { KeyRing } from './key-ring.ts'

/** Snapshots whose bodies are sealed under the keys of their threads, as the records are that they fold. */
export class SealedSnapshots implements Snapshots {
  readonly #store: Snapshots
  readonly #ring: KeyRing

  constructor(store: Snapshots, ring: KeyRing) {
    this.#store = store
    this.#ring = ring
  }

  async latest(
    thread: string,
    key: SnapshotKey & { readonly upTo: number },
  ): Promise<StoredSnapshot | undefined> {
    const stored = await this.#store.latest(thread, key)
    if (!stored) return undefined
    const state = await this.#ring.find(thread)
    const sealed = sealedIn(stored.body)
    const open =
      sealed && state?.status === 'kept' && openText(state.key, placeOf(thread, stored), sealed)
    return typeof open === 'string' ? { ...stored, body: open } : undefined
  }

  async put(thread: string, key: SnapshotKey, snapshot: StoredSnapshot): Promise<void> {
    const state = await this.#ring.of(thread)
    if (state.status === 'erased') return
    const sealed = sealText(state.key, placeOf(thread, snapshot), snapshot.body)
    await this.#store.put(thread, key, { ...snapshot, body: JSON.stringify(sealed) })
  }

  forget(thread: string): Promise<void> {
    return this.#store.forget(thread)
  }
}

function placeOf(thread: string, { seq, hash }: StoredSnapshot): string {
  return `${thread}\n${seq}\n${hash}`
}

function sealedIn(body: string) {
  // Who keeps it answers for damage to it.
  const value = JSON.parse(body) as Json
  if (!isJsonObject(value)) return undefined
  const { key, iv, bytes } = value
  const areTexts = typeof key === 'string' && typeof iv === 'string' && typeof bytes === 'string'
  return areTexts ? { key, iv, bytes } : undefined
}
