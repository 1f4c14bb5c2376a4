import { PROGRAM_IDS_MAX } from './limits.ts'

/** The newest ids, to notice one that comes again. */
export class RecentIds {
  readonly #ids = new Set<string>()

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** False where the id is known. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size > PROGRAM_IDS_MAX) {
      const [oldest] = this.#ids
      if (oldest !== undefined) this.#ids.delete(oldest)
    }
    return true
  }
}
