import type { ErasedSubject, Erasure, KeyState, Keys, SubjectKey } from './keys.ts'

/** Keys that last as long as their process. */
export class MemoryKeys implements Keys {
  readonly id: string
  readonly #newKey: () => SubjectKey
  readonly #states = new Map<string, KeyState>()
  #followed = -1

  constructor(newKey: () => SubjectKey) {
    this.#newKey = newKey
    this.id = newKey().id
  }

  async keyOf(subject: string): Promise<KeyState> {
    const found = this.#states.get(subject)
    if (found) return found
    const made = { status: 'kept', key: this.#newKey() } as const
    this.#states.set(subject, made)
    return made
  }

  async find(subject: string): Promise<KeyState | undefined> {
    return this.#states.get(subject)
  }

  async erase(subject: string, { at, by, why }: Erasure): Promise<void> {
    if (this.#states.get(subject)?.status === 'erased') return
    this.#states.set(subject, { status: 'erased', erasure: { at, by, why } })
  }

  async erased(after: string, limit: number): Promise<readonly ErasedSubject[]> {
    const all = [...this.#states].flatMap(([subject, state]) =>
      state.status === 'erased' && subject > after ? [{ subject, ...state.erasure }] : [],
    )
    return all.toSorted(({ subject: a }, { subject: b }) => (a < b ? -1 : 1)).slice(0, limit)
  }

  async followed(): Promise<number> {
    return this.#followed
  }

  async follow(seq: number): Promise<void> {
    this.#followed = Math.max(this.#followed, seq)
  }

  async close(): Promise<void> {}
}
